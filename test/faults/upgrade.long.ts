/** Upgrades that fail after the switch, and upgrades that are killed at each step. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, it } from 'node:test';
import { anotherClient, logIn, send } from '../support/client.ts';
import { temporaryFolder } from '../support/site.ts';
import { installVersions, type Versions } from '../support/versions.ts';
import { mountSmall } from './volumes.ts';

/** Changes a version so that it has a newer schema. */
const migrates = (made: string): void =>
  fs.writeFileSync(path.join(made, 'sql/006-more.sql'), 'create table more (a text) strict;\n');

/** Changes a version so that it ends after its start, but not in the trial. */
function crashes(made: string): void {
  const end = "if (process.env.PORT !== '0') process.exit(1);\n";
  fs.appendFileSync(path.join(made, 'server.js'), end);
}

/** Changes a version so that the service, but not the trial, has another page for unknown URLs. */
function answersWrong(made: string): void {
  const file = path.join(made, 'lib/http/reply.js');
  const text = fs.readFileSync(file, 'utf8');
  const wrong = "(process.env.PORT === '0' ? 'Not Found\\n' : 'Nothing\\n')";
  assert.ok(text.includes("'Not Found\\n'"));
  fs.writeFileSync(file, text.replaceAll("'Not Found\\n'", wrong));
}

async function installed(): Promise<Versions> {
  const versions = await installVersions(temporaryFolder());
  after(() => versions.remove());
  versions.site.invite('ada@example.com');
  await versions.restart();
  return versions;
}

const clicks = (versions: Versions): number =>
  versions.site.json<{ clicks: number }>('joins', 'stats').clicks;

/** Checks that a version serves now, and after the next start; that nothing is left of another. */
async function assertServes(versions: Versions, version: string): Promise<void> {
  assert.equal(versions.running(), version);
  await logIn(versions.origin, 'ada@example.com');
  await versions.restart();
  assert.equal(versions.running(), version);
  const names = [...fs.readdirSync(versions.base), ...fs.readdirSync(versions.data)];
  assert.deepEqual(
    names.filter((name) => /partial|next|trial/.test(name)),
    [],
  );
}

it('a version that does not serve goes, with every row where the schema is the same', async () => {
  const versions = await installed();
  const cookie = await logIn(versions.origin, 'ada@example.com');
  const join = () => send(versions.origin, 'POST /api/project-join', { cookie });
  for (const change of [crashes, answersWrong]) {
    assert.equal((await join()).status, 200);
    const archive = versions.pack('1.1.0', change);
    const { status, stderr } = await versions.tool(['upgrade', archive]);
    assert.match(stderr, /^1\.1\.0 does not serve: .*; 1\.0\.0 serves again, with every row$/m);
    assert.equal(status, 1);
    await assertServes(versions, '1.0.0');
    assert.ok(!fs.existsSync(path.join(versions.base, '1.1.0')));
  }
  assert.equal(clicks(versions), 2);
});

it('a version that has migrated the store goes, and the store comes back as it was before', async () => {
  const versions = await installed();
  const cookie = await logIn(versions.origin, 'ada@example.com');
  assert.equal((await send(versions.origin, 'POST /api/project-join', { cookie })).status, 200);
  const archive = versions.pack('1.1.0', (made) => {
    migrates(made);
    crashes(made);
  });
  const { status, stderr } = await versions.tool(['upgrade', archive]);
  assert.match(
    stderr,
    /^1\.1\.0 does not serve: it ends .*; 1\.0\.0 serves again, with the store of \S+-schema-6\.db; lost: nothing; the later store is kept as \S+-replaced\.db\n$/,
  );
  assert.equal(status, 1);
  await assertServes(versions, '1.0.0');
  assert.equal(clicks(versions), 1);
  assert.equal((await send(versions.origin, 'GET /timeline', { cookie })).status, 200);
});

it('a way back that loses rows says which, and is gone with --yes only', async () => {
  const versions = await installed();
  const archive = versions.pack('1.1.0', migrates);
  assert.equal((await versions.tool(['upgrade', archive])).stderr, '');
  await logIn(versions.origin, 'ada@example.com');
  const asked = await versions.tool(['rollback']);
  assert.match(asked.stderr, /\nis lost: 1 event, 1 session\n/);
  assert.match(
    asked.stderr,
    /\n1\.0\.0 cannot read the store of 1\.1\.0, .*; to do so, add --yes\n$/,
  );
  assert.equal(asked.status, 1);
  assert.equal(versions.running(), '1.1.0');
  // A start that takes its time.
  spawn('flock', ['--shared', path.join(versions.base, '.start.lock'), 'sleep', '6']);
  const { stdout, stderr } = await versions.tool(['rollback', '--yes']);
  assert.equal(stderr, '');
  assert.match(
    stdout,
    /^1\.0\.0 serves, with the store of \S+; lost: events 1, sessions 1; the later/,
  );
  await assertServes(versions, '1.0.0');
});

/** Steps of an upgrade up to the restart with the new version. */
const SWITCHED = 6;

/**
 * Kills a tool before each of its steps; each time a version serves, and the next run finishes.
 *
 * @returns the number of the last step
 */
async function killAtEachStep(
  versions: Versions,
  first: number,
  prepare: () => Promise<unknown>,
  args: readonly string[],
  finish: () => Promise<unknown>,
): Promise<number> {
  for (let step = first; ; step += 1) {
    await prepare();
    const { status } = await versions.tool(args, step);
    if (status !== null) return step - 1;
    await versions.restart();
    const { headers } = await send(versions.origin, 'GET /', { headers: anotherClient() });
    assert.ok(headers.has('content-security-policy'), `killed at step ${step}`);
    await finish();
  }
}

it('an upgrade that is killed at any step is finished by the next one', async () => {
  const versions = await installed();
  const archive = versions.pack('1.1.0', migrates);
  const steps = await killAtEachStep(
    versions,
    1,
    () => versions.tool(['rollback', '1.0.0', '--yes']),
    ['upgrade', archive],
    async () => {
      const { stderr } = await versions.tool(['upgrade', archive]);
      assert.equal(stderr, '');
      await assertServes(versions, '1.1.0');
    },
  );
  assert.ok(steps > SWITCHED, String(steps));
});

it('an upgrade that is killed after the switch is undone by a way back', async () => {
  const versions = await installed();
  const { status } = await versions.tool(['upgrade', versions.pack('1.1.0')], SWITCHED + 2);
  assert.equal(status, null);
  assert.equal(versions.running(), '1.1.0');
  const { stdout, stderr } = await versions.tool(['rollback']);
  assert.equal(stderr + stdout, '1.0.0 serves, with every row\n');
  await assertServes(versions, '1.0.0');
  assert.ok(!fs.existsSync(path.join(versions.base, '1.1.0')));
});

it('a way back by itself that is killed at any step is finished by the next upgrade', async () => {
  const versions = await installed();
  const broken = versions.pack('1.1.0', (made) => {
    migrates(made);
    crashes(made);
  });
  const whole = versions.pack('1.2.0', migrates);
  const steps = await killAtEachStep(
    versions,
    SWITCHED,
    async () => {
      await versions.tool(['rollback', '1.0.0', '--yes']);
      assert.equal(versions.running(), '1.0.0');
    },
    ['upgrade', broken],
    async () => {
      const { stderr } = await versions.tool(['upgrade', whole]);
      assert.equal(stderr, '');
      await assertServes(versions, '1.2.0');
    },
  );
  assert.ok(steps >= SWITCHED + 4, String(steps));
});

it('a way back by hand that is killed after the switch leaves a version that serves', async () => {
  const versions = await installed();
  assert.equal((await versions.tool(['upgrade', versions.pack('1.1.0')])).stderr, '');
  crashes(path.join(versions.base, '1.0.0'));
  // Before each of the programs that run after the switch, until 1.0.0 has failed.
  for (const step of [3, 4, 5]) {
    const { status } = await versions.tool(['rollback', '1.0.0'], step);
    assert.equal(status, null, `not killed at step ${step}`);
    await versions.restart();
    await assertServes(versions, '1.1.0');
  }
});

it('a way back that is killed after the switch is finished by the same command', async () => {
  const versions = await installed();
  assert.equal((await versions.tool(['upgrade', versions.pack('1.1.0')])).stderr, '');
  const reserve = path.join(versions.base, '.former');
  for (const [from, to, args] of [
    ['1.1.0', '1.0.0', ['rollback']],
    ['1.0.0', '1.1.0', ['rollback', '1.1.0']],
  ] as const) {
    const { status } = await versions.tool(args, 5);
    assert.equal(status, null);
    await versions.restart();
    assert.equal(fs.readlinkSync(reserve), from);
    const { stdout, stderr } = await versions.tool(args);
    assert.equal(stderr + stdout, `${to} serves, with every row\n`);
    assert.ok(!fs.existsSync(reserve));
    await assertServes(versions, to);
  }
});

it('a version in reserve that is the current one is forgotten', async () => {
  const versions = await installed();
  const reserve = path.join(versions.base, '.former');
  fs.symlinkSync('1.0.0', reserve);
  const { status, stderr } = await versions.tool(['rollback', '1.0.0', '--if-unconfirmed']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.throws(() => fs.lstatSync(reserve), /ENOENT/);
});

it('an archive of over 2 GiB is read', async () => {
  const versions = await installed();
  const archive = versions.pack('1.1.0');
  fs.truncateSync(archive, 2 ** 31 + 1);
  const { stderr } = await versions.tool(['upgrade', archive]);
  assert.match(stderr, /^guestlist-1\.1\.0-\S+ is not whole: its SHA-256 is \w+; get it again\n$/);
});

it('a full disk while unpacking: nothing is switched, and with room it works', async (t) => {
  const folder = temporaryFolder();
  const volume = mountSmall(path.join(folder, 'opt'), 40);
  if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
  const versions = await installVersions(folder);
  try {
    versions.site.invite('ada@example.com');
    await versions.restart();
    const archive = versions.pack('1.1.0');
    const ballast = path.join(versions.base, 'ballast');
    const { bavail, bsize } = fs.statfsSync(versions.base);
    fs.writeFileSync(ballast, Buffer.alloc(bavail * bsize - 500_000));
    const { status, stderr } = await versions.tool(['upgrade', archive]);
    assert.match(stderr, /^the archive cannot be unpacked \(tar: .*\); make room .*\n$/);
    assert.equal(status, 1);
    await assertServes(versions, '1.0.0');
    fs.rmSync(ballast);
    assert.equal((await versions.tool(['upgrade', archive])).stderr, '');
  } finally {
    await versions.remove();
    volume.release();
  }
});
