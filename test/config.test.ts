/** The three settings: valid and invalid values. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readSettings, SettingsError } from '../lib/config.ts';

const PORT = /^PORT is ".*"; it must be a whole number from 0 to 65535$/;
const ORIGIN = /^PUBLIC_ORIGIN is ".*"; it must be an http or https address/;
for (const [name, message, ...values] of [
  ['PORT', PORT, 'x', '-1', '65536', '3000.5', '0x10', ' 3000', '1\n2'],
  ['PUBLIC_ORIGIN', ORIGIN, 'a.example.com', 'ftp://x.example.com', '/', 'ada:1'],
] as const)
  it(`a wrong ${name} is refused in one line`, () => {
    for (const value of values)
      assert.throws(
        () => readSettings({ [name]: value }),
        (error) => error instanceof SettingsError && message.test(error.message),
      );
  });

it('settings have defaults, and PUBLIC_ORIGIN is reduced to its origin', () => {
  const publicOrigin = 'http://localhost:3000';
  assert.deepEqual(readSettings({ PORT: '' }), { port: 3000, publicOrigin, production: false });
  const PUBLIC_ORIGIN = 'HTTPS://A.example.com:443/x?y';
  const env = { PORT: '0', PUBLIC_ORIGIN, NODE_ENV: 'production' };
  const expected = { port: 0, publicOrigin: 'https://a.example.com', production: true };
  assert.deepEqual(readSettings(env), expected);
});
