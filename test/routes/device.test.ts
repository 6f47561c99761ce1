/** What is told of a visitor's device: few names, each in one spelling, whatever the header says. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDevice } from '../../lib/routes/device.ts';
import { userAgents } from '../bench/user-agents.ts';

/** A text in `count` mixtures of capital and small letters. */
const spellings = (text: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    [...text].map((c, at) => ((i >> at) & 1 ? c.toUpperCase() : c.toLowerCase())).join(''),
  );

describe('a device', () => {
  it('has one name for a system and for a browser, however the header spells it', () => {
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

  it('has no name that only its visitor knows', () => {
    const letters = [...'frentopcghs'];
    const systems = letters.flatMap((a) => letters.map((b) => describeDevice(`(${a}${b}bsd)`).os));
    const browsers = ['dillo', 'lynx', 'w3m', 'up browser'].map(
      (name) => describeDevice(`${name}/1.0`).browser,
    );
    assert.deepEqual([...new Set([...systems, ...browsers])], ['Other']);
  });

  it("is told by name for every browser of today's", () => {
    for (const header of userAgents()) {
      const { os, browser } = describeDevice(header);
      assert.ok(![os, browser].some((name) => name === '' || name === 'Other'), header);
    }
  });

  it('has no name where nothing is recognised', () => {
    const unknown = { deviceType: 'unknown', os: '', browser: '' };
    assert.deepEqual({ ...describeDevice('curl/8.5.0') }, unknown);
  });
});
