/**
 * Syncs, in the order of system calls. A kill proves none of them, because the kernel keeps what
 * was written: test/faults/interrupted.long.ts has the kills.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, it } from 'node:test';
import { APPLICATION_ID } from '../../lib/store/inspection.ts';
import { applyMigrations } from '../../lib/store/schema.ts';
import { listSnapshots, takeSnapshot } from '../../lib/store/snapshots.ts';
import { send, sessionCookie, sessionId } from '../support/client.ts';
import { preload } from '../support/clock.ts';
import { withDatabase } from '../support/database.ts';
import type { Installation } from '../support/installation.ts';
import { lacksStrace } from '../support/lacks.ts';
import { startProcess } from '../support/process.ts';
import { installationForEach } from '../support/temporary.ts';
import { readStore } from './reader.ts';
import { type Call, isSync, missingSyncs, readTrace, repliesIn, traceInto } from './trace.ts';

const CONNECTIONS = 16;

describe('logins, views and joins of 16 connections at once', { skip: lacksStrace() }, () => {
  const installation = installationForEach();

  /**
   * A visit on a connection of its own. Each request has bytes in a header that its row has alone.
   */
  async function visit(origin: string, email: string, client: string): Promise<void> {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (line: string, row: string, options: object) => {
      const headers = { 'X-Row': row, 'X-Forwarded-For': client };
      const answer = await send(origin, line, { ...options, headers }, agent);
      assert.equal(answer.status, 200, line);
      return answer;
    };
    const login = await ask('POST /auth/login', `login${email}`, { json: { email } });
    const cookie = sessionCookie(login);
    await ask('GET /timeline', `timeline_view${email}`, { cookie });
    await ask('POST /api/project-join', `${email}${sessionId(cookie)}`, { cookie });
    agent.destroy();
  }

  /** The environment of a server whose store has another `synchronous`. */
  const withSynchronous = (mode: string) =>
    preload(`
      import { createRequire } from 'node:module';
      const { prototype } = createRequire(${JSON.stringify(`${installation.root}/`)})('better-sqlite3');
      const { pragma } = prototype;
      prototype.pragma = function (sql, ...rest) {
        return pragma.call(this, sql.replace('synchronous = FULL', 'synchronous = ${mode}'), ...rest);
      };`);

  async function traceVisits(synchronous: string) {
    const numbers = Array.from({ length: CONNECTIONS }, (_, i) => i + 10);
    for (const number of numbers) installation.invite(`guest${number}@example.com`);
    const trace = path.join(installation.root, `trace-${synchronous}`);
    const server = await installation.start(withSynchronous(synchronous), traceInto(trace));
    const visits = numbers.map((number) =>
      visit(server.origin, `guest${number}@example.com`, `10.1.1.${number}`),
    );
    await Promise.all(visits);
    await server.stop();
    return repliesIn(readTrace(trace));
  }

  it('each reply is sent after the sync of its row', async () => {
    const { all, beforeSync } = await traceVisits('FULL');
    assert.deepEqual(beforeSync, []);
    assert.equal(all.length, 3 * CONNECTIONS);
  });

  for (const mode of ['NORMAL', 'OFF'])
    it(`each reply leaves before, with synchronous=${mode}`, async () => {
      const { all, beforeSync } = await traceVisits(mode);
      assert.deepEqual(beforeSync, all);
      assert.equal(all.length, 3 * CONNECTIONS);
    });
});

const ADA = 'ada@example.com';

type Step = {
  /** Makes the store of before. @returns ends what runs beside the tool */
  readonly prepare: (installation: Installation) => Promise<() => unknown>;
  readonly command: (installation: Installation) => readonly string[];
  /** Where a sync is needed, from the root folder, which is empty. */
  readonly needed: readonly string[];
};

const nothing = () => undefined;
const create = ['backup', 'create'];
// extra: restore
const restore = ({ store }: Installation): readonly string[] => {
  const [snapshot] = listSnapshots(store);
  return ['backup', 'restore', snapshot?.file ?? '', '--yes'];
};
// end: restore
const RENAMES = ['data', 'data/backups', 'data/backups/draft'];
const STORE = 'data/guestlist.db';
const WAL = 'data/guestlist.db-wal';

const STEPS: Readonly<Record<string, Step>> = {
  'a snapshot': {
    async prepare(installation) {
      installation.invite(ADA);
      return nothing;
    },
    command: () => create,
    needed: RENAMES,
  },
  // extra: restore
  'a restore': {
    async prepare(installation) {
      installation.invite(ADA);
      takeSnapshot(installation.store);
      return nothing;
    },
    command: restore,
    needed: [...RENAMES, STORE],
  },
  'a restore beside a program that reads the store, whose WAL it keeps': {
    async prepare(installation) {
      installation.invite(ADA);
      takeSnapshot(installation.store);
      const endRead = await readStore(installation.store);
      installation.invite('alan@example.com');
      return endRead;
    },
    command: restore,
    needed: [...RENAMES, STORE, WAL],
  },
  // end: restore
  'a migration': {
    async prepare(installation) {
      installation.invite(ADA);
      fs.rmSync(installation.store);
      withDatabase(installation.store, (db) => {
        applyMigrations(db, 0, 4);
        db.exec(`pragma user_version = 4; pragma application_id = ${APPLICATION_ID}`);
      });
      return nothing;
    },
    command: () => ['invite', 'list'],
    needed: [...RENAMES, STORE],
  },
  'an invite beside the server': {
    async prepare(installation) {
      const server = await installation.start();
      return server.stop;
    },
    command: () => ['invite', 'add', ADA],
    needed: [WAL],
  },
  // extra: erasure
  'an erasure beside the server': {
    async prepare(installation) {
      installation.invite(ADA);
      const server = await installation.start();
      return server.stop;
    },
    command: () => ['person', 'forget', ADA, '--yes'],
    needed: [STORE, WAL],
  },
  // end: erasure
  'a new store': {
    prepare: async () => nothing,
    command: () => ['invite', 'add', ADA],
    needed: ['', 'data', STORE],
  },
};

/** All paths in a folder. */
const pathsIn = (folder: string): readonly string[] =>
  fs
    .readdirSync(folder, { encoding: 'utf8', recursive: true })
    .map((name) => path.join(folder, name));

describe('a tool syncs its work before it reports it', { skip: lacksStrace() }, () => {
  const installation = installationForEach();

  /** The calls of a tool. */
  async function traceTool([name = '', ...args]: readonly string[]): Promise<readonly Call[]> {
    const trace = path.join(installation.root, 'trace');
    const script = path.join(installation.root, 'tools', `${name}.js`);
    const tool = startProcess([...traceInto(trace), process.execPath, script, ...args]);
    assert.equal(await tool.ends(), 0, tool.stderr.join('\n'));
    return readTrace(trace);
  }

  /** The path from the root folder. Drafts have one name. */
  const nameOf = ({ file }: Call): string =>
    path.relative(installation.root, file).replace(/draft-\w+/, 'draft');

  for (const [what, { prepare, command, needed }] of Object.entries(STEPS))
    it(`${what}; the trace shows each missing sync`, async () => {
      const end = await prepare(installation);
      const existing = pathsIn(installation.root);
      const calls = await traceTool(command(installation));
      await end();
      assert.deepEqual(missingSyncs(calls, existing), []);
      for (const name of needed) {
        const without = calls.filter((call) => !isSync(call) || nameOf(call) !== name);
        assert.notDeepEqual(missingSyncs(without, existing), [], `without a sync of "${name}"`);
      }
    });
});
