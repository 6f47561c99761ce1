/** The log of changes: who changed what, by the page and by the tools. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Row } from '../support/installation.ts';
import { toolsForEach } from '../support/tools.ts';

const [ROOT, ADA] = ['root@example.com', 'ada@example.com'];

const { invite, json, says, write } = toolsForEach();
const log = (...words: readonly string[]) => json('invite log', ...words);
const lines = (rows: readonly Row[]) =>
  rows.map(({ via, what, email, detail }) => [via, what, email, detail].filter(Boolean).join(' '));

/** Invites Ada as the administrator page does. */
function inviteByPage(): void {
  const invite = { email: ADA, firstName: null, invitedBy: ROOT, invitedAt: 1 };
  write(({ invites }) => invites.add(invite, { by: ROOT, via: 'page' }));
}

it('has each change of the tools, newest first, with the user of the system', async () => {
  for (const call of ['add', 'add', 'admin add', 'admin remove'])
    await says(`invite ${call} ${ADA}`);
  for (const name of ['Ada', 'Ada']) await says(`invite add ${ADA} ${name}`);
  write(({ sessions }) => sessions.begin(ADA, Date.now()));
  await says(`invite remove ${ADA} --end-sessions`);
  const rows = await log();
  assert.deepEqual(lines(rows), [
    `cli sessions_ended ${ADA} 1`,
    `cli removed ${ADA}`,
    `cli name_changed ${ADA}`,
    `cli no_longer_admin ${ADA}`,
    `cli made_admin ${ADA}`,
    `cli invited ${ADA}`,
  ]);
  const [user, ...others] = new Set(rows.map(({ by }) => by));
  assert.deepEqual(others, []);
  const line = new RegExp(` ${user} +cli +sessions_ended +${ADA} +1\n$`);
  assert.match(await says(`invite log ${ADA} --limit 1`), line);
});

it('has the invites of the page with the administrator, filtered by person, also as CSV', async () => {
  invite(ROOT);
  inviteByPage();
  const [{ id, at, ...change } = {}, ...others] = await log(ADA);
  assert.deepEqual(change, { by: ROOT, via: 'page', what: 'invited', email: ADA, detail: null });
  assert.deepEqual(others, []);
  const time = new Date(Number(at)).toISOString();
  const row = `${id},${time},${ROOT},page,invited,${ADA},`;
  const csv = `\uFEFFid,at,by,via,what,email,detail\r\n${row}\r\n`;
  assert.equal(await says(`invite log ${ADA} --csv`), csv);
});

it('has the user who called sudo, else the one who has logged in, else a number', async (t) => {
  const { env } = process;
  t.after(() => {
    process.env = env;
  });
  for (const [user, variables] of [
    ['ada', { SUDO_USER: 'ada', LOGNAME: 'root' }],
    ['grace', { LOGNAME: 'grace' }],
    [`uid ${process.getuid?.()}`, {}],
  ] as const) {
    process.env = { ...env, SUDO_USER: '', LOGNAME: '', ...variables };
    await says(`invite add ${user.replace(' ', '-')}@example.com`);
    assert.equal((await log('--limit', '1'))[0]?.by, user);
  }
});

it('keeps its lines after an erasure, without the address', async () => {
  invite(ROOT);
  inviteByPage();
  await says(`person forget ${ROOT} --yes`);
  const rows = await log();
  assert.deepEqual(lines(rows), ['cli erased erased', `page invited ${ADA}`, 'cli invited erased']);
  assert.equal(rows[1]?.by, 'erased');
});
