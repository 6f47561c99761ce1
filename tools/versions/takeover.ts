/** Lets an installed version take over the service; if it does not serve, the former one comes back. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../../lib/cli/tool.ts';
import { readSettings } from '../../lib/config.ts';
import { readVersion } from '../../lib/store/file/connect.ts';
import { inspectFile } from '../../lib/store/file/inspection.ts';
import { listSnapshots } from '../../lib/store/file/snapshots.ts';
import { withDatabase } from '../../lib/store/file/sqlite.ts';
import { storeExists, storeFile } from '../../lib/store/open.ts';
import { base, confirm, folderOf, hold, pointTo, toolOf } from './folders.ts';
import { asOwner, attempt, owner, run } from './programs.ts';
import { checkAnswers } from './trial.ts';

/** What the outcome of `backup restore --json` tells. */
export type Restored = {
  readonly file: string;
  readonly replaced: string | null;
  readonly loses: Readonly<Record<string, number>>;
};

/** How long the service may take until it answers, in ms. */
const PATIENCE = 20_000;

/** How long the service may take to stop, in ms: it answers the requests in flight. */
const STOP_TIMEOUT = 30_000;

/** Between two attempts, in ms. */
const PAUSE = 200;

/**
 * @param former the version that comes back if the new one does not serve
 * @param migration how long a migration may take, in ms
 * @returns what was restored; `undefined` if the version reads the store as it is
 * @throws {Refusal} if the version does not serve
 */
export async function takeOver(
  version: string,
  former: string | undefined,
  migration = 0,
): Promise<Restored | undefined> {
  try {
    return await serve(version, PATIENCE + migration);
  } catch (error) {
    const fault = `${version} does not serve: ${reason(error)}`;
    if (former === undefined)
      throw new Refusal(`${fault}; there is no version to go back to: journalctl -u guestlist`);
    const back = () => serve(former, PATIENCE);
    // Again, because the version may have migrated the store until it stopped.
    const restored = await back()
      .catch(back)
      .catch((again) => {
        const neither = `${fault}; nor does ${former}: ${reason(again)}`;
        throw new Refusal(`${neither}; see journalctl -u guestlist`);
      });
    throw new Refusal(`${fault}; ${former} serves again, ${describe(restored)}`);
  } finally {
    confirm();
  }
}

const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\n', ', ');

/** What happened to the rows. */
export function describe(restored: Restored | undefined): string {
  if (!restored) return 'with every row';
  const lost = Object.entries(restored.loses).map(([what, count]) => `${what} ${count}`);
  const kept =
    restored.replaced === null ? '' : `; the later store is kept as ${restored.replaced}`;
  return `with the store of ${restored.file}; lost: ${lost.join(', ') || 'nothing'}${kept}`;
}

async function serve(version: string, patience: number): Promise<Restored | undefined> {
  const snapshot = olderStoreFor(version);
  const restored =
    snapshot === undefined ? undefined : await whileStopped(() => restore(version, snapshot));
  pointTo(version);
  run(['systemctl', 'daemon-reload']);
  run(['systemctl', 'restart', 'guestlist']);
  await untilItAnswers(patience);
  return restored;
}

/**
 * The newest snapshot that a version can read, if it cannot read the store.
 *
 * @throws {Refusal} if there is none
 */
export function olderStoreFor(version: string): string | undefined {
  const sql = fs.readdirSync(path.join(folderOf(version), 'sql'));
  const known = sql.filter((name) => /^\d{3}-.+\.sql$/.test(name)).length;
  return asOwner(() => {
    if (!storeExists() || withDatabase(storeFile, { readonly: true }, readVersion) <= known)
      return undefined;
    const fits = listSnapshots(storeFile).find(({ file }) => {
      const snapshot = inspectFile(file);
      return snapshot.fault === null && snapshot.version <= known;
    });
    if (fits) return fits.file;
    throw new Refusal(`${version} can read neither the store nor any snapshot of it`);
  });
}

/**
 * Runs a job while the service is stopped. Each start of the service waits for the lock. So if this
 * process ends, however it ends, the service starts.
 */
async function whileStopped<T>(job: () => Promise<T>): Promise<T> {
  const release = await hold(path.join(base, '.start.lock'), PATIENCE / 1000);
  if (!release) throw new Refusal('the service hangs in its start');
  try {
    run(['systemctl', 'restart', '--no-block', 'guestlist']);
    return await job();
  } finally {
    await release();
  }
}

/** Lets a version restore the store that it can read, as soon as the service has stopped. */
async function restore(version: string, snapshot: string): Promise<Restored> {
  for (const deadline = Date.now() + STOP_TIMEOUT; ; await sleep(PAUSE)) {
    const { status, stdout, stderr } = attempt(
      [...toolOf(version, 'backup'), 'restore', snapshot, '--yes', '--json'],
      owner(),
    );
    if (status === 0) {
      pointTo(version);
      return JSON.parse(stdout);
    }
    if (Date.now() > deadline || !/is (in use|open)/.test(stderr)) throw new Refusal(stderr.trim());
  }
}

/** Waits until the service answers as it should. @throws if it ends, or answers something else */
async function untilItAnswers(patience: number): Promise<void> {
  const origin = `http://127.0.0.1:${readSettings(process.env).port}`;
  const watch = new AbortController();
  const answered = async () => {
    for (const deadline = Date.now() + patience; ; await sleep(PAUSE)) {
      try {
        return await checkAnswers(origin);
      } catch (error) {
        if (error instanceof Refusal || Date.now() > deadline || watch.signal.aborted) throw error;
      }
    }
  };
  const ended = async () => {
    const start = currentStart();
    while (start.includes('ActiveState=active') && currentStart() === start)
      await sleep(PAUSE, undefined, { signal: watch.signal });
    throw new Refusal('it ends after its start');
  };
  try {
    await Promise.race([answered(), ended()]);
  } finally {
    watch.abort();
  }
}

/** The state of the service, with an id that each start changes. */
const currentStart = (): string =>
  run(['systemctl', 'show', '--property=ActiveState,InvocationID', 'guestlist']);
