/**
 * Runs the README's first command as a stranger would: in a clean clone of what is committed, with an empty npm cache and an empty
 * home folder. It asks the site for its entry page and stops it as Ctrl-C does. The second command is what `.ci/run` itself runs.
 * It compiles better-sqlite3 where there is no prebuilt binary, so it is not part of npm test: npm run test:clone
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../lib/root.ts';

/** From an empty cache to the end, in ms. */
const PATIENCE = 10 * 60_000;

/** What tells of this user, this checkout, or the script that npm runs just now. */
const OWN =
  /^(npm_(?!config_).*|npm_config_(cache|userconfig|local_prefix)|xdg_.*|init_cwd|node_env|public_origin)$/i;

const [start = '', test = ''] =
  fs.readFileSync(path.join(root, 'README.md'), 'utf8').match(/^ {4}npm ci && .+$/gm) ?? [];
assert.match(start, /npm start$/);
assert.ok(
  fs.readFileSync(path.join(root, '.ci', 'run'), 'utf8').includes(`\n${test.trim()} ||`),
  '.ci/run runs the test command of the README',
);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-clone-'));
try {
  await tryStart();
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

async function tryStart(): Promise<void> {
  const clone = path.join(folder, 'guestlist');
  execFileSync('git', ['clone', '-q', root, clone], { stdio: 'inherit' });
  const began = performance.now();
  // A process group of its own: Ctrl-C reaches everything in it.
  const shell = spawn('sh', ['-c', start.trim()], {
    cwd: clone,
    env: { ...strangersEnvironment(), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const signal = (name: NodeJS.Signals) => process.kill(-(shell.pid ?? 0), name);
  const ended = once(shell, 'exit').then(([status]) => ({ status }));
  const timer = setTimeout(() => signal('SIGKILL'), PATIENCE);
  try {
    const lines = createInterface(shell.stdout);
    const listening = new Promise<string>((resolve) => {
      lines.on('line', (line) => {
        console.log(line);
        const address = /^listening on (.+)$/.exec(line)?.[1];
        if (address) resolve(address);
      });
    });
    const origin = await Promise.race([listening, ended]);
    if (typeof origin !== 'string')
      throw new Error(`${start.trim()}: exit status ${origin.status}`);

    const entry = await fetch(`${origin}/`);
    assert.equal(entry.status, 200);
    assert.match(await entry.text(), /<title>/);
    signal('SIGINT');
    await ended;
    await assert.rejects(fetch(origin), 'it has stopped');
    assert.ok(fs.existsSync(path.join(clone, 'data', 'guestlist.db')));
    const changed = execFileSync('git', ['status', '--porcelain'], {
      cwd: clone,
      encoding: 'utf8',
    });
    assert.equal(changed, '', 'git ignores all that the command has made');
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`${start.trim()}: works in a fresh clone, ${seconds} s`);
  } finally {
    clearTimeout(timer);
    if (shell.exitCode === null && shell.signalCode === null) signal('SIGKILL');
  }
}

/** Nothing of this user's but the way to the programs, and to the registry where npm's settings name one. */
function strangersEnvironment(): NodeJS.ProcessEnv {
  const [home, cache, config] = ['home', 'cache', 'npmrc'].map((name) => path.join(folder, name));
  for (const empty of [home, cache]) fs.mkdirSync(empty ?? '');
  const { NPM_CONFIG_USERCONFIG, npm_config_userconfig = NPM_CONFIG_USERCONFIG } = process.env;
  const own = npm_config_userconfig ?? path.join(os.homedir(), '.npmrc');
  if (fs.existsSync(own)) fs.copyFileSync(own, config ?? '');
  const inherited = Object.entries(process.env).filter(([name]) => !OWN.test(name));
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    npm_config_cache: cache,
    npm_config_userconfig: config,
    npm_config_update_notifier: 'false',
  };
}
