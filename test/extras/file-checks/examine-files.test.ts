/** The start, the check and the doctor look at the owner's files. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { SAMPLE_SITE } from '../../../lib/site/site.ts';
import { runToEnd } from '../../support/process.ts';
import { installationForAll } from '../../support/temporary.ts';

const installation = installationForAll();
const own = path.join(installation.root, 'data/site');
fs.cpSync(SAMPLE_SITE, own, { recursive: true });
fs.mkdirSync(path.join(own, 'public'));
fs.writeFileSync(path.join(own, 'public/a.svg'), '<svg><script/></svg>');
fs.writeFileSync(path.join(own, 'images/01-window.svg'), '<svg viewBox="0 0 4 3"/>');

const WARNING = /^warning: data\/site\/public\/a\.svg has <script>, which may run a script; /m;
const MISTAKE =
  /data\/site\/content\.json: timeline\[0\]\.image\.src: images\/01-window\.svg lacks its namespace/;

/** What a tool prints. */
function said(tool: string, ...args: readonly string[]): string {
  const script = path.join(installation.root, 'tools', `${tool}.js`);
  const { stdout, stderr } = runToEnd([process.execPath, script, ...args]);
  return stdout + stderr;
}

it('all of them refuse a file of which browsers show nothing', () => {
  assert.match(installation.run().stderr, MISTAKE);
  assert.match(said('site', 'check'), MISTAKE);
  assert.match(said('doctor'), MISTAKE); // extra: doctor
});

it('all of them name what a file tells', async () => {
  fs.cpSync(SAMPLE_SITE, own, { recursive: true });
  const server = await installation.start();
  await server.stop();
  assert.match(server.stderr.join('\n'), WARNING);
  assert.match(said('site', 'check'), WARNING);
  assert.match(said('doctor'), /warning: data\/site\/public\/a\.svg has <script>/); // extra: doctor
});
