/** The device of a visitor: few names, each in one spelling, for any header. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDevice } from '../../lib/routes/device.ts';
import { userAgents } from '../support/user-agents.ts';

/** A text in `count` mixtures of upper and lower case. */
const spellings = (text: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    [...text].map((c, at) => ((i >> at) & 1 ? c.toUpperCase() : c.toLowerCase())).join(''),
  );

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
    const browsers = ['dillo', 'lynx', 'w3m', 'up browser'].map(
      (name) => describeDevice(`${name}/1.0`).browser,
    );
    assert.deepEqual([...new Set([...systems, ...browsers])], ['Other']);
  });

  it('has a name for every current browser', () => {
    for (const header of userAgents()) {
      const { os, browser } = describeDevice(header);
      assert.ok(![os, browser].some((name) => name === '' || name === 'Other'), header);
    }
  });

  it('has no name if the header is unknown', () => {
    const unknown = { deviceType: 'unknown', os: '', browser: '' };
    assert.deepEqual({ ...describeDevice('curl/8.5.0') }, unknown);
  });
});
