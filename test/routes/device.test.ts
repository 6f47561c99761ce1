/** The device of a visitor: plain names, each in one spelling, for any header. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDevice } from '../../lib/routes/device.ts';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IPHONE = `iPhone; CPU iPhone OS 18_6_2 like Mac OS X) ${WEBKIT}`;
const ANDROID = `Linux; Android 15; SM-S928B) ${CHROME}`;
const IPAD = IPHONE.replaceAll('iPhone', 'iPad');
const WINDOWS = 'Windows NT 10.0; Win64; x64';
const MAC = 'Macintosh; Intel Mac OS X 10_15_7';

/** The headers of current browsers, and the device that each is. */
const CURRENT: readonly (readonly [string, string, string, string])[] = [
  [`${IPHONE} Version/26.1 Mobile/15E148 Safari/604.1`, 'mobile', 'iOS', 'Mobile Safari'],
  [`${IPHONE} Mobile/22F76 [FBAN/FBIOS;FBAV/520.0.0.38.101;FBSN/iOS]`, 'mobile', 'iOS', 'Facebook'],
  [`${IPAD} Version/26.1 Mobile/15E148 Safari/604.1`, 'tablet', 'iOS', 'Mobile Safari'],
  [`${ANDROID} Mobile Safari/537.36`, 'mobile', 'Android', 'Chrome'],
  [`${ANDROID.replace('SM-S928B', 'SM-X710')} Safari/537.36`, 'tablet', 'Android', 'Chrome'],
  [`${WINDOWS}) ${CHROME} Safari/537.36`, 'desktop', 'Windows', 'Chrome'],
  [`${WINDOWS}; rv:145.0) Gecko/20100101 Firefox/145.0`, 'desktop', 'Windows', 'Firefox'],
  [`${MAC}) ${WEBKIT} Version/26.1 Safari/605.1.15`, 'desktop', 'Mac OS', 'Safari'],
  [`SMART-TV; LINUX; Tizen 6.0) ${CHROME} TV Safari/537.36`, 'smarttv', 'Tizen', 'Chrome'],
];

describe('a device', () => {
  it('has one name for a system and for a browser, in any spelling of the header', () => {
    for (const [header, os, browser] of [
      ['(X11; SymbIAN 9) vivALDI/7.1', 'Symbian', 'Vivaldi'],
      ['(ANDROID 9) DUCKDUCKGO/7', 'Android', 'Duckduckgo'],
      ['(IPHONE; CPU OS 18_6 LIKE MAC OS X) CHROME/1', 'iOS', 'Chrome'],
    ] as const)
      for (const spelling of [header, header.toLowerCase(), header.toUpperCase()]) {
        const device = describeDevice(spelling);
        assert.deepEqual([device.os, device.browser], [os, browser]);
      }
  });

  it('is cached for at most 1000 headers', () => {
    const first = describeDevice('first');
    assert.equal(describeDevice('first'), first);
    for (let i = 0; i < 1000; i += 1) describeDevice(`other ${i}`);
    assert.notEqual(describeDevice('first'), first);
  });

  for (const [header, ...expected] of CURRENT)
    it(`is ${expected.join(', ')} for …${header.slice(-40)}`, () => {
      const { deviceType, os, browser } = describeDevice(`Mozilla/5.0 (${header}`);
      assert.deepEqual([deviceType, os, browser], expected);
    });

  it('has a plain name, or is Other', () => {
    for (const [header, os] of [
      ['(X11-BSD) Vivaldi/7.1', 'Other'],
      ['(X11; FreeBSD) Vivaldi/7.1', 'Freebsd'],
    ] as const) {
      const device = describeDevice(header);
      assert.deepEqual([device.os, device.browser], [os, 'Vivaldi']);
    }
  });

  it('has no name if the header is unknown', () => {
    const unknown = { deviceType: 'unknown', os: '', browser: '' };
    assert.deepEqual({ ...describeDevice('curl/8.5.0') }, unknown);
  });
});
