/** `invite list --letters`: letters as a table, or as the file of a mail merge. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addInvite } from '../../support/rows.ts';
import { toolsForEach } from '../../support/tools.ts';

const tools = toolsForEach();

const HOUR = 3_600_000;

const inviteHoursAgo = (hours: number, email: string, firstName: string | null = null) =>
  tools.write((writer) => {
    addInvite(writer, email, { firstName, invitedAt: Date.now() - hours * HOUR });
  });

// extra: export
for (const [kind, subject] of [
  ['invitation', 'Your invitation to Halden'],
  ['reminder', 'Reminder: your invitation to Halden'],
] as const)
  it(`the letters of kind ${kind} are a file for a mail merge`, async () => {
    inviteHoursAgo(25, 'ada@example.com', 'Ada');
    inviteHoursAgo(25, 'grace@example.com');
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

it('letters as a table have no texts', async () => {
  inviteHoursAgo(0, 'ada@example.com');
  const { stdout, stderr } = await tools.withInput('', 'invite list --letters invitation');
  assert.match(stdout, /^email +first name +link\n/);
  assert.equal(stderr, 'Guests see the sample, Halden. Make your site first.\n');
});

it('nobody is reminded of an invitation of the last 24 hours', async () => {
  inviteHoursAgo(25, 'ada@example.com');
  inviteHoursAgo(23, 'grace@example.com');
  const reminders = await tools.withInput('', 'invite list --letters reminder');
  assert.match(reminders.stdout, /ada@example\.com/);
  assert.doesNotMatch(reminders.stdout, /grace@example\.com/);
  const invitations = await tools.withInput('', 'invite list --letters invitation');
  assert.match(invitations.stdout, /grace@example\.com/);
});
