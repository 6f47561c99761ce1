/** A real start of a version that is not in its place yet: with a copy of the store, on a free port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Refusal } from '../../lib/cli/tool.ts';
import { readSettings } from '../../lib/config.ts';
import { ask } from '../../lib/http/ask.ts';
import { trialFolder } from './folders.ts';
import { asOwner, dataFolder, ENDS_WITH_US, firstError, owner } from './programs.ts';

/** How long a start may take, in ms; a large store may have to be migrated. */
const START_TIMEOUT = 30 * 60_000;

/**
 * Lets a version read the settings and the site, migrate a copy of the store, and answer.
 *
 * @param folder where it was unpacked; its `data` leads to the copy afterwards
 * @param snapshot the store; `undefined` if there is none yet
 * @returns how long it took until it listened, in ms
 * @throws {Refusal} with the reason that the version names, if it does not start or answer
 */
export async function tryOut(folder: string, snapshot: string | undefined): Promise<number> {
  const trial = trialFolder();
  asOwner(() => makeData(trial, snapshot));
  fs.symlinkSync(trial, path.join(folder, 'data'));
  const { publicOrigin } = readSettings(process.env);
  const [program, ...args] = ENDS_WITH_US;
  const started = Date.now();
  const server = spawn(
    program,
    [...args, path.join(folder, 'bin/node'), path.join(folder, 'server.js')],
    {
      env: { ...process.env, PORT: '0', PUBLIC_ORIGIN: publicOrigin },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: START_TIMEOUT,
      killSignal: 'SIGKILL',
      ...owner(),
    },
  );
  const ended = once(server, 'close');
  const errors = text(server.stderr);
  try {
    const lines = createInterface(server.stdout);
    const [line] = await Promise.race([once(lines, 'line'), ended]);
    const [, origin] = /^listening on (http:\S+)$/.exec(String(line)) ?? [];
    if (origin === undefined) throw new Refusal(firstError(await errors) || 'it does not listen');
    await checkAnswers(origin);
    return Date.now() - started;
  } finally {
    server.kill();
    await ended;
  }
}

/** Makes a `data/` with a copy of the store and with the site itself. */
function makeData(trial: string, snapshot: string | undefined): void {
  fs.mkdirSync(trial, { mode: 0o700 });
  if (snapshot !== undefined)
    fs.copyFileSync(snapshot, path.join(trial, 'guestlist.db'), fs.constants.COPYFILE_FICLONE);
  const site = path.join(dataFolder(), 'site');
  if (fs.lstatSync(site, { throwIfNoEntry: false })) fs.symlinkSync(site, path.join(trial, 'site'));
}

/** Asks a service for its entry page and for the hidden page. @throws if an answer is wrong */
export async function checkAnswers(origin: string): Promise<void> {
  const entry = await ask(new URL(origin));
  if (entry.status !== 200) throw new Refusal(`its entry page answers ${entry.status}`);
  const { status, body } = await ask(new URL('/svcops', origin));
  if (status !== 404 || body.toString() !== 'Not Found\n')
    throw new Refusal(`a page that does not exist answers ${status}`);
}
