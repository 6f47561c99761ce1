/** The log of changes: who changed what, by the page and by the tools. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { toolsForEach } from '../support/tools.ts';

const [ROOT, ADA] = ['root@example.com', 'ada@example.com'];

const { invite, json, says, write } = toolsForEach();
const log = (...words: readonly string[]) => json('invite log', ...words);
const lines = async () =>
  (await log()).map(({ via, what, email, detail }) =>
    [via, what, email, detail].filter(Boolean).join(' '),
  );

it('has each change of the tools, newest first', async () => {
  for (const call of ['add', 'add', 'admin add', 'admin remove'])
    await says(`invite ${call} ${ADA}`);
  for (const name of ['Ada', 'Ada']) await says(`invite add ${ADA} ${name}`);
  write(({ sessions }) => sessions.begin(ADA, Date.now()));
  await says(`invite remove ${ADA} --end-sessions`);
  assert.deepEqual(await lines(), [
    `cli sessions_ended ${ADA} 1`,
    `cli removed ${ADA}`,
    `cli name_changed ${ADA}`,
    `cli no_longer_admin ${ADA}`,
    `cli made_admin ${ADA}`,
    `cli invited ${ADA}`,
  ]);
  assert.match(await says(`invite log ${ADA} --limit 1`), / cli +sessions_ended +ada@\S+ +1\n$/);
});

it('has the invites of the page with the administrator; an erasure takes the addresses', async () => {
  invite(ROOT);
  const added = { email: ADA, firstName: null, invitedBy: ROOT, invitedAt: 1 };
  write(({ invites }) => invites.add(added, { by: ROOT, via: 'page' }));
  const [{ id, at, ...change } = {}, ...others] = await log(ADA);
  assert.deepEqual(change, { by: ROOT, via: 'page', what: 'invited', email: ADA, detail: null });
  assert.deepEqual(others, []);
  const row = `${id},${new Date(Number(at)).toISOString()},${ROOT},page,invited,${ADA},`;
  const csv = `\uFEFFid,at,by,via,what,email,detail\r\n${row}\r\n`;
  assert.equal(await says(`invite log ${ADA} --csv`), csv);
  await says(`person forget ${ROOT} --yes`);
  assert.deepEqual(await lines(), [
    'cli erased erased',
    `page invited ${ADA}`,
    'cli invited erased',
  ]);
  assert.equal((await log())[1]?.by, 'erased');
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
