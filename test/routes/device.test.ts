/** The device of a visitor: few names, each in one spelling, for any header. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDevice } from '../../lib/routes/device.ts';

/** A text in `count` mixtures of upper and lower case. */
const spellings = (text: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    [...text].map((c, at) => ((i >> at) & 1 ? c.toUpperCase() : c.toLowerCase())).join(''),
  );

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IPHONE = `iPhone; CPU iPhone OS 18_6_2 like Mac OS X) ${WEBKIT}`;
const ANDROID = `Linux; Android 15; SM-S928B) ${CHROME}`;
const IPAD = IPHONE.replaceAll('iPhone', 'iPad');
const SAMSUNG = ANDROID.replace('Chrome', 'SamsungBrowser/29.0 Chrome');
const WINDOWS = 'Windows NT 10.0; Win64; x64';
const MAC = 'Macintosh; Intel Mac OS X 10_15_7';

/** The headers of current browsers, and the device that each is. */
const CURRENT: readonly (readonly [string, string, string, string])[] = [
  [`${IPHONE} Version/26.1 Mobile/15E148 Safari/604.1`, 'mobile', 'iOS', 'Mobile Safari'],
  [`${IPHONE} CriOS/142.0.7258.76 Mobile/15E148 Safari/604.1`, 'mobile', 'iOS', 'Chrome'],
  [`${IPHONE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`, 'mobile', 'iOS', 'Firefox'],
  [`${IPHONE} Mobile/22F76 [FBAN/FBIOS;FBAV/520.0.0.38.101;FBSN/iOS]`, 'mobile', 'iOS', 'Facebook'],
  [`${IPAD} Version/26.1 Mobile/15E148 Safari/604.1`, 'tablet', 'iOS', 'Mobile Safari'],
  [`${ANDROID} Mobile Safari/537.36`, 'mobile', 'Android', 'Chrome'],
  [`${ANDROID.replace('SM-S928B', 'SM-X710')} Safari/537.36`, 'tablet', 'Android', 'Chrome'],
  [`${SAMSUNG} Mobile Safari/537.36`, 'mobile', 'Android', 'Samsung Internet'],
  ['Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', 'mobile', 'Android', 'Firefox'],
  [`${WINDOWS}) ${CHROME} Safari/537.36`, 'desktop', 'Windows', 'Chrome'],
  [`${WINDOWS}) ${CHROME} Safari/537.36 Edg/142.0.3400.50`, 'desktop', 'Windows', 'Edge'],
  [`${WINDOWS}; rv:145.0) Gecko/20100101 Firefox/145.0`, 'desktop', 'Windows', 'Firefox'],
  [`${MAC}) ${WEBKIT} Version/26.1 Safari/605.1.15`, 'desktop', 'Mac OS', 'Safari'],
  [`X11; Linux x86_64) ${CHROME} Safari/537.36 OPR/116.0.0.0`, 'desktop', 'Linux', 'Opera'],
  [`SMART-TV; LINUX; Tizen 6.0) ${CHROME} TV Safari/537.36`, 'smarttv', 'Tizen', 'Chrome'],
];

describe('a device', () => {
  it('has one name for a system and for a browser, in any spelling of the header', () => {
    for (const [system, name] of [
      ['symbian', 'Symbian'],
      ['freebsd', 'FreeBSD'],
      ['android', 'Android'],
    ] as const)
      for (const spelling of spellings(system, 64))
        assert.equal(describeDevice(`Mozilla/5.0 (${spelling} 9)`).os, name);
    for (const spelling of spellings('vivaldi', 64))
      assert.equal(describeDevice(`Mozilla/5.0 ${spelling}/7.1`).browser, 'Vivaldi');
  });

  it('never has a name from the header itself', () => {
    const letters = [...'frentopcghs'];
    const systems = letters.flatMap((a) => letters.map((b) => describeDevice(`(${a}${b}bsd)`).os));
    const names = ['dillo', 'lynx', 'w3m', 'up browser'];
    const browsers = names.map((name) => describeDevice(`${name}/1.0`).browser);
    assert.deepEqual([...new Set([...systems, ...browsers])], ['Other']);
  });

  for (const [header, ...expected] of CURRENT)
    it(`is ${expected.join(', ')} for …${header.slice(-40)}`, () => {
      const { deviceType, os, browser } = describeDevice(`Mozilla/5.0 (${header}`);
      assert.deepEqual([deviceType, os, browser], expected);
    });

  it('has no name if the header is unknown', () => {
    const unknown = { deviceType: 'unknown', os: '', browser: '' };
    assert.deepEqual({ ...describeDevice('curl/8.5.0') }, unknown);
  });
});
