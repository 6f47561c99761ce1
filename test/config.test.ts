/** The three settings: valid and invalid values. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettings, SettingsError } from '../lib/config.ts';

describe('settings', () => {
  for (const PORT of ['x', '-1', '65536', '3000.5', '0x10', ' 3000', '999999', '1\n2'])
    it(`PORT=${JSON.stringify(PORT)} is refused in one line`, () =>
      assert.throws(
        () => readSettings({ PORT }),
        (error) =>
          error instanceof SettingsError &&
          /^PORT is ".*"; it must be a whole number from 0 to 65535$/.test(error.message),
      ));

  for (const PUBLIC_ORIGIN of [
    'a.example.com',
    'ftp://example.com',
    '/',
    'https://',
    'javascript:1',
  ])
    it(`PUBLIC_ORIGIN=${PUBLIC_ORIGIN} is refused`, () =>
      assert.throws(
        () => readSettings({ PUBLIC_ORIGIN }),
        (error) =>
          error instanceof SettingsError &&
          /^PUBLIC_ORIGIN is ".*"; it must be an http or https address/.test(error.message),
      ));

  it('have defaults, and PUBLIC_ORIGIN is reduced to its origin', () => {
    assert.deepEqual(readSettings({ PORT: '' }), {
      port: 3000,
      publicOrigin: 'http://localhost:3000',
      production: false,
    });
    const env = {
      PORT: '0',
      PUBLIC_ORIGIN: 'HTTPS://A.example.com:443/x?y',
      NODE_ENV: 'production',
    };
    const expected = { port: 0, publicOrigin: 'https://a.example.com', production: true };
    assert.deepEqual(readSettings(env), expected);
  });
});
