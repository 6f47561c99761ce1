/**
 * The invite tool by a table of commands: invites, administrators, ended sessions, and their log.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invitedIn } from '../support/database.ts';
import { newStoreFile } from '../support/temporary.ts';
import { toolsForEach, toolsOn } from '../support/tools.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';
const ROOT = 'root@example.com';
const ORIGIN = 'http://localhost:3000';
const LOCAL = `on this computer: ${ORIGIN}/#${ADA}\n`;
const OPEN = 'sessions still open for up to 30 days (--end-sessions ends them)';

/** Commands on one store, and what they print; on stderr with status 1. Ada has 2 sessions. */
const COMMANDS: readonly (readonly [call: string, text: string | RegExp, status?: 1])[] = [
  ['invite add ADA@Example.com Ada Lovelace', `${ADA} is invited\n${LOCAL}`],
  [`invite admin add ${ADA}`, `${ADA} is now an administrator\n`],
  [`invite add ${ADA}`, `${ADA} was already invited; nothing changed\n${LOCAL}`],
  [`invite add ${ADA} Ida`, `${ADA} was already invited; the first name is now Ida\n${LOCAL}`],
  [`invite add ${GRACE}`, /grace@example\.com is invited\n/],
  ['invite admin list', /^.*\nada@example\.com +Ida +yes +cli +\S+ \S+ +pending\n$/],
  [`invite admin add ${ADA}`, `${ADA} is already an administrator\n`, 1],
  [`invite admin remove ${ADA}`, `${ADA} is no longer an administrator\n`],
  [`invite admin remove ${ADA}`, `${ADA} is not an administrator\n`, 1],
  [
    `invite admin add ${ROOT}`,
    `${ROOT} is not on the invite list; add it first: node tools/invite.js add ${ROOT}\n`,
    1,
  ],
  [`invite remove ${ROOT}`, `${ROOT} is not on the invite list; no open sessions\n`, 1],
  [`invite remove ${ADA}`, `${ADA} is no longer invited; 2 ${OPEN}\n`],
  [`invite remove ${ADA}`, `${ADA} is not on the invite list; 2 ${OPEN}\n`, 1],
  [`invite remove ${ADA} --end-sessions`, `${ADA} is not on the invite list; 2 sessions ended\n`],
  [
    `invite remove ${GRACE} --end-sessions --json`,
    `{"email":"${GRACE}","removed":true,"sessionsEnded":0}\n`,
  ],
  ['invite list', 'no guests yet\n'],
  [
    `invite log ${ADA} --limit 6`,
    new RegExp(
      `^.*\n${['sessions_ended', 'removed', 'no_longer_admin', 'name_changed', 'made_admin']
        .map((what) => `.* cli +${what} +${ADA}.*\n`)
        .join('')}.* invited .*\n$`,
    ),
  ],
];

describe('on one store', () => {
  const { tool, write } = toolsOn(newStoreFile());
  write(({ sessions }) => [1, 2].map(() => sessions.begin(ADA, Date.now())));
  for (const [call, text, status = 0] of COMMANDS)
    it(call, async () => {
      const { stdout, stderr, ...ended } = await tool(call);
      assert.equal(ended.status, status, stderr);
      const [printed, nothing] = status === 0 ? [stdout, stderr] : [stderr, stdout];
      if (typeof text === 'string') assert.equal(printed, text);
      else assert.match(printed, text);
      assert.equal(nothing, '');
    });
});

const { file, invite, json, says, tool, withInput, write } = toolsForEach();

it('add takes an address out of its surroundings; remove does not', async () => {
  assert.match(await says(`invite add <${ADA}>.`), /^ada@example\.com is invited\n/);
  const { status, stderr } = await tool(`invite remove <${ADA}>`);
  assert.deepEqual([status, invitedIn(file)], [1, [ADA]]);
  assert.match(stderr, /not on the invite list/);
  const mixed = await tool('invite add \u0430da@example.com');
  assert.match(mixed.stderr, /has letters of two alphabets/);
});

it('add takes no second address for a first name', async () => {
  for (const call of [`invite add ${ADA} ${GRACE}`, `invite add ${ADA} Ada <${GRACE}>`]) {
    const { status, stderr } = await tool(call);
    assert.equal(status, 2);
    assert.match(stderr, /^invite add takes one address; /);
  }
  assert.deepEqual(invitedIn(file), []);
});

it('only add takes an address out of other text', async () => {
  invite(ADA);
  for (const around of [`mailto:${ADA}`, `<${ADA}>`, `${ADA}?utm_source=x`, `=${ADA}`])
    for (const call of ['invite remove', 'invite admin add', 'invite admin remove']) {
      const { status } = await tool(call, around);
      assert.equal(status, 1, `${call} ${around}`);
    }
  assert.deepEqual(invitedIn(file), [ADA]);
});

it('finds an invite by other forms of its letters', async () => {
  await says('invite add zo\u00eb@example.com Zoe');
  assert.match(await says('invite admin add zoe\u0308@example.com'), /is now an administrator/);
  assert.match(await says('joins for zoe\u0308@example.com'), /^no joins yet\n$/);
  write(({ invites }) => {
    const older = { firstName: null, invitedBy: 'cli', invitedAt: 1 };
    invites.add({ email: 'zoe\u0308@example.com', ...older });
  });
  await says('invite remove zoe\u0308@example.com');
  assert.deepEqual(invitedIn(file), ['zo\u00eb@example.com']);
});

it('prints a link to send, with a readable domain', async () => {
  const env = { PUBLIC_ORIGIN: 'https://preview.example.com/' };
  const one = await withInput('', 'invite add Bo+1@xn--bcher-kva.example.com', env);
  const link = 'https://preview.example.com/#bo%2B1@b%C3%BCcher.example.com';
  assert.equal(one.stdout, `bo+1@bücher.example.com is invited\n${link}\n`);
  const wrong = await withInput('', `invite add ${GRACE}`, { PUBLIC_ORIGIN: 'preview' });
  assert.match(wrong.stderr, /^PUBLIC_ORIGIN is "preview"; it must be an http or https address /);
  assert.ok(!invitedIn(file).includes(GRACE));
});

describe('the log', () => {
  it('has the invites of the page with the administrator', async () => {
    invite(ROOT);
    const added = { email: ADA, firstName: null, invitedBy: ROOT, invitedAt: 1 };
    write(({ invites }) => invites.add(added, { by: ROOT, via: 'page', at: 1 }));
    const change = { id: 2, at: 1, by: ROOT, via: 'page', what: 'invited', email: ADA };
    assert.deepEqual(await json(`invite log ${ADA}`), [{ ...change, detail: null }]);
  });

  it('names the user who called sudo or logged in, or a number', async (t) => {
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
      assert.equal((await json('invite log --limit 1'))[0]?.by, user);
    }
  });
});
