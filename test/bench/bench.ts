/** `npm run bench`: the speed of Guestlist, compared with frameworks and with bare node:http. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { administrator } from './administrator.ts';
import { aimsTable } from './aims.ts';
import { alone } from './alone.ts';
import {
  type Contender,
  OTHERS,
  startGuestlist,
  startOther,
  takeSamples,
  verify,
} from './contenders.ts';
import { interrupted } from './interrupted.ts';
import { introduction } from './introduction.ts';
import { HELP, type Options, type Part, readOptions, UsageError } from './options.ts';
import { installContenders, MissingError, partsThatRun } from './preparations.ts';
import { profile } from './profile.ts';
import { heading, type Report, writeBetween } from './report.ts';
import { scenarios } from './scenarios.ts';
import { slowDisk } from './slow-disk.ts';
import { soak } from './soak.ts';
import { start } from './start.ts';
import { stop } from './stop.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-bench-'));
// Installations and stores lie there too, and are removed with it.
process.env.TMPDIR = folder;

async function run(options: Options): Promise<void> {
  const parts = partsThatRun(options.parts);
  if (options.profile) return profile(folder);
  const others = OTHERS.filter((name) => options.contenders?.includes(name) ?? true);
  const comparing = parts.some((part) => COMPARED.includes(part));
  if (comparing && others.some((name) => name !== 'floor')) installContenders();
  const begin = introduction(folder);
  console.log(begin);
  const reports: Report[] = [];
  let speed = '';
  if (comparing) {
    const compared = await compare({ ...options, parts }, others);
    reports.push(...compared.reports);
    ({ speed } = compared);
  }
  if (parts.includes('start')) reports.push(await start(options, folder));
  if (parts.includes('administrator')) reports.push(await administrator(options, folder));
  if (parts.includes('slow-disk')) reports.push(await slowDisk(options, folder));
  if (parts.includes('stop')) reports.push(await stop(options));
  if (parts.includes('soak')) reports.push(await soak(folder));
  const aims = aimsTable(Object.assign({}, ...reports.map(({ figures }) => figures)));
  if (aims) console.log(heading('Aims') + aims);
  if (!options.complete) return;
  const text = reports.map((report) => report.text).join('');
  writeBetween('docs/performance.md', 'bench', begin + heading('Aims') + aims + text);
  writeBetween('README.md', 'performance', `${speed}\n${aims}`);
}

/** The parts that compare contenders. */
const COMPARED: readonly Part[] = ['timeline', 'visitors', 'join', 'me', 'entry', 'alone'];

/** All contenders. */
async function compare(
  options: Options,
  others: readonly string[],
): Promise<{ readonly reports: readonly Report[]; readonly speed: string }> {
  const contenders: Contender[] = [];
  try {
    const guestlist = await startGuestlist('guestlist');
    contenders.push(guestlist);
    const { sessions } = guestlist;
    const setup = { sessions, samples: await takeSamples(guestlist) };
    for (const checkout of options.against) {
      contenders.push(await startGuestlist(path.basename(checkout), { checkout }));
    }
    for (const name of others) {
      const other = await startOther(name, setup, folder);
      contenders.push(other);
      await verify(other, setup);
    }
    // The floor first: the others are compared with it.
    const order = (name: string) => (name === 'floor' ? 0 : 1);
    contenders.sort((a, b) => order(a.name) - order(b.name));
    const compared = await scenarios(contenders, options, folder);
    const reports: Report[] = [compared];
    if (options.parts.includes('alone')) reports.push(await alone(contenders, options, folder));
    return { reports, speed: compared.speed };
  } finally {
    await Promise.all(contenders.map((contender) => contender.stop()));
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(HELP);
  else await run(options);
} catch (error) {
  if (interrupted.aborted) process.exitCode = 130;
  else if (error instanceof UsageError || error instanceof MissingError) {
    console.error(error.message);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  } else throw error;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
