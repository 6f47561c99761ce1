/** `invite list --letters`: letters as a table, or as the file of a mail merge. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LOCAL_LINKS } from '../../../lib/config.ts';
import { toolsForEach } from '../../support/tools.ts';

const tools = toolsForEach();

// extra: export
for (const [kind, subject] of [
  ['invitation', 'Your invitation to Halden'],
  ['reminder', 'Reminder: your invitation to Halden'],
] as const)
  it(`the letters of kind ${kind} are a file for a mail merge`, async () => {
    tools.invite('ada@example.com', 'Ada');
    tools.invite('grace@example.com');
    const env = { PUBLIC_ORIGIN: 'https://preview.example.com/' };
    const call = `invite list --status pending --csv --letters ${kind}`;
    const { stdout } = await tools.withInput('', call, env);
    assert.match(stdout, /^\uFEFFemail,firstName,link,subject,message\r\n/);
    const link = 'https://preview.example.com/#ada@example.com';
    const letter = `\nada@example.com,Ada,${link},${subject},"Hello Ada,\n\nYou`;
    assert.ok(stdout.includes(letter), stdout);
    assert.ok(stdout.includes(`${subject},"Hello,\n\nYou`), stdout);
  });
// end: export

it('letters as a table have no texts, and a warning of links to this computer', async () => {
  tools.invite('ada@example.com');
  const { stdout, stderr } = await tools.withInput('', 'invite list --letters reminder');
  assert.match(stdout, /^email +first name +link\n/);
  const sample = 'Guests see the sample, Halden. Make your site first.\n';
  assert.equal(stderr, `${sample}${LOCAL_LINKS}\n`);
  const env = { PUBLIC_ORIGIN: 'https://preview.example.com' };
  const sent = await tools.withInput('', 'invite list --letters reminder', env);
  assert.equal(sent.stderr, sample);
});
