/** The three settings: valid and invalid values. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettings, SettingsError } from '../lib/config.ts';

describe('settings', () => {
  const PORT = /^PORT is ".*"; it must be a whole number from 0 to 65535$/;
  const ORIGIN = /^PUBLIC_ORIGIN is ".*"; it must be an http or https address/;
  for (const [name, message, ...values] of [
    ['PORT', PORT, 'x', '-1', '65536', '3000.5', '0x10', ' 3000', '999999', '1\n2'],
    ['PUBLIC_ORIGIN', ORIGIN, 'a.example.com', 'ftp://x.example.com', '/', 'https://', 'ada:1'],
  ] as const)
    for (const value of values)
      it(`${name}=${JSON.stringify(value)} is refused in one line`, () =>
        assert.throws(
          () => readSettings({ [name]: value }),
          (error) => error instanceof SettingsError && message.test(error.message),
        ));

  it('have defaults, and PUBLIC_ORIGIN is reduced to its origin', () => {
    assert.deepEqual(readSettings({ PORT: '' }), {
      port: 3000,
      publicOrigin: 'http://localhost:3000',
      production: false,
    });
    const PUBLIC_ORIGIN = 'HTTPS://A.example.com:443/x?y';
    const env = { PORT: '0', PUBLIC_ORIGIN, NODE_ENV: 'production' };
    const expected = { port: 0, publicOrigin: 'https://a.example.com', production: true };
    assert.deepEqual(readSettings(env), expected);
  });
});
