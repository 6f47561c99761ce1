/** `npm run bench`: the speed of Guestlist, compared with frameworks and with bare node:http. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  type Contender,
  OTHERS,
  startGuestlist,
  startOther,
  takeSamples,
  verify,
} from './contenders.ts';
import { introduction } from './introduction.ts';
import { HELP, type Options, readOptions, UsageError } from './options.ts';
import { installContenders, MissingError, requirePrograms } from './preparations.ts';
import { writeReport } from './report.ts';
import { scenarios } from './scenarios.ts';
import { slowDisk } from './slow-disk.ts';
import { soak } from './soak.ts';
import { startStop } from './start-stop.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-bench-'));

async function run(options: Options): Promise<void> {
  requirePrograms(options.parts);
  const others = OTHERS.filter((name) => options.contenders?.includes(name) ?? true);
  const comparing = options.parts.some((part) =>
    ['timeline', 'join', 'me', 'entry'].includes(part),
  );
  if (comparing && others.some((name) => name !== 'floor')) installContenders();
  let text = introduction(folder);
  console.log(text);
  if (comparing) text += await compare(options, others);
  if (options.parts.includes('slow-disk')) text += await slowDisk(options, folder);
  if (options.parts.includes('start-stop')) text += await startStop(options);
  if (options.parts.includes('soak')) text += await soak(folder);
  if (options.complete) writeReport(text);
}

/** All contenders. */
async function compare(
  options: Options,
  others: readonly (typeof OTHERS)[number][],
): Promise<string> {
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
    return await scenarios(contenders, options, folder);
  } finally {
    await Promise.all(contenders.map((contender) => contender.stop()));
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(HELP);
  else await run(options);
} catch (error) {
  if (error instanceof UsageError || error instanceof MissingError) {
    console.error(error.message);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  } else throw error;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
