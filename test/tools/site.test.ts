/** The site tool: `check` reads a site as a start does, `init` begins one. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { DEFAULT_LETTERS, DEFAULT_WORDS } from '../../lib/site/default-words.ts';
import { SAMPLE_SITE } from '../../lib/site/site.ts';
import { lacksRoot } from '../support/lacks.ts';
import { runToEnd, WITHOUT_FILE_RIGHTS } from '../support/process.ts';
import { installationForEach, temporaryFolder } from '../support/temporary.ts';
import { toolsOn } from '../support/tools.ts';

const installation = installationForEach();
const { says, tool } = toolsOn(installation.store, installation.root);
/** The owner's own site. */
const own = path.join(installation.root, 'data', 'site');

const sample = fs.readFileSync(path.join(SAMPLE_SITE, 'content.json'), 'utf8');
const LARGE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" fill="var(--ink)"><!-- ${'x'.repeat(2e6)} --></svg>`;

// What is a mistake is in test/site.
it('check names the field of each mistake, and has status 1', async () => {
  const folder = path.join(temporaryFolder(), 'Über uns');
  const content = path.join(folder, 'content.json');
  fs.cpSync(SAMPLE_SITE, folder, { recursive: true });
  fs.writeFileSync(content, sample.replace('2025-03-04', 'soon').replace('Count me in', ''));
  const mistakes = [
    `${content}: timeline[1].date: "soon" is not a date; write it as YYYY-MM-DD, like 2025-01-21`,
    `${content}: join.button: missing or not a text`,
  ];
  const { status, stdout } = await tool('site check', folder, '--json');
  assert.deepEqual([status, JSON.parse(stdout).mistakes], [1, mistakes]);
  const stderr = mistakes.map((each) => `${each}\n`).join('');
  assert.deepEqual(await tool('site check', folder), { status: 1, stdout: '', stderr });
});

describe('init', () => {
  const names = (folder: string) => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });

  it('copies the sample, readable by others, and only once', async () => {
    const script = path.join(installation.root, 'tools', 'site.js');
    const command = `umask 077; exec "$0" "$1" init`;
    const { stdout } = runToEnd(['sh', '-c', command, process.execPath, script]);
    assert.ok(stdout.startsWith(`the sample is now in ${own}; `), stdout);
    const modeOf = (name: string) => {
      const state = fs.statSync(path.join(own, name));
      return `${(state.mode & 0o777).toString(8)} ${state.isFile()}`;
    };
    const modes = new Set(['.', ...names(own)].map(modeOf));
    assert.deepEqual([...modes].sort(), ['644 true', '755 false']);
    assert.equal(modeOf('..'), '700 false');
    const copied = names(own);
    for (const name of names(SAMPLE_SITE)) assert.ok(copied.includes(name), name);
    const english = fs.readFileSync(path.join(own, 'words-en.json'), 'utf8');
    assert.deepEqual(JSON.parse(english), { words: DEFAULT_WORDS, ...DEFAULT_LETTERS });
    const content = path.join(own, 'content.json');
    fs.writeFileSync(content, '{}');
    const stderr = `there is something at ${own} already; it was not changed\n`;
    assert.deepEqual(await tool('site init'), { status: 1, stdout: '', stderr });
    assert.equal(fs.readFileSync(content, 'utf8'), '{}');
    assert.deepEqual(fs.readdirSync(path.dirname(own)), ['site']);
  });

  it('works in a folder that holds only .git', async () => {
    fs.mkdirSync(path.join(own, '.git'), { recursive: true });
    await says('site init');
    for (const name of ['.git', 'content.json', 'public'])
      assert.ok(fs.existsSync(path.join(own, name)), name);
  });

  it('in German begins with one entry', async () => {
    await says('site init --language de');
    const content = JSON.parse(fs.readFileSync(path.join(own, 'content.json'), 'utf8'));
    assert.deepEqual([content.language, content.timeline.length], ['de', 1]);
    assert.equal(await says('site check'), 'data/site: no mistakes\n');
  });

  it('in another language says what is to be translated', async () => {
    const said = await says('site init --language pt-br');
    assert.match(
      said,
      /\nThe sample is in English\. Its language in content\.json is now pt-BR: .*\n.*words-en\.json/,
    );
    const content = fs.readFileSync(path.join(own, 'content.json'), 'utf8');
    assert.equal(content, sample.replace('{', '{\n  "language": "pt-BR",'));
    const { status, stderr } = await tool('site init --language german');
    assert.equal(status, 2);
    assert.match(stderr, /^--language: not a language tag such as "en", "de" or "pt-BR"\nusage: /);
  });
});

it('a start prints the warnings of the check, and fails with its mistakes', async () => {
  fs.cpSync(SAMPLE_SITE, own, { recursive: true });
  const content = path.join(own, 'content.json');
  fs.writeFileSync(path.join(own, 'images', 'large.svg'), LARGE);
  fs.writeFileSync(content, sample.replace('01-window', 'large'));
  const server = await installation.start();
  await server.stop();
  const warnings = [
    'data/site/content.json: entry.contact: example.com is a placeholder; write an address of your own',
    'data/site/images/large.svg has 2.0 MB, slow to load on a phone; 0.3 MB is enough',
  ];
  const said = warnings.map((warning) => `warning: ${warning}`);
  assert.deepEqual(server.stderr, said);
  const found = [...said, 'data/site: no mistakes, 2 warnings\n'];
  assert.equal(await says('site check'), found.join('\n'));
  assert.deepEqual(JSON.parse(await says('site check --json')).warnings, warnings);
  fs.writeFileSync(content, '{}');
  const { status, stdout, stderr } = installation.run();
  assert.match(stderr, /^data\/site\/content\.json: title: missing or not a text\n/);
  assert.deepEqual(await tool('site check'), { status, stdout, stderr });
});

describe('control characters of the site', () => {
  /** Clears a terminal's line, also in one byte; turns text round; ends a line. */
  const HOSTILE = 'a\u001b[2K\u009b1A\u202eb\u2066c\u2069d\u007f';
  const SHOWN = 'a\\u001b[2K\\u009b1A\\u202eb\\u2066c\\u2069d\\u007f';
  const write = (content: object) => {
    fs.cpSync(SAMPLE_SITE, own, { recursive: true });
    fs.writeFileSync(path.join(own, 'content.json'), JSON.stringify(content));
  };

  it('are visible in the mistakes of check, start and reload', async () => {
    fs.cpSync(SAMPLE_SITE, own, { recursive: true });
    const server = await installation.start();
    write({ ...JSON.parse(sample), [HOSTILE]: 1 });
    const { stderr } = await tool('site check');
    assert.ok(stderr.includes(`unknown field "${SHOWN}"; known are`), stderr);
    assert.deepEqual(installation.run().stderr, stderr);
    server.process.kill('SIGHUP');
    await server.reports(/not reloaded/);
    assert.ok(server.stderr.includes(`the site was not reloaded: ${stderr.trimEnd()}`));
    await server.stop();
  });

  it('are visible in the warnings of check and start', async () => {
    write(JSON.parse(sample));
    fs.symlinkSync('content.json', path.join(own, 'images', `${HOSTILE}\nno mistakes found`));
    const server = await installation.start();
    await server.stop();
    const name = `warning: data/site/images/${SHOWN}\\u000ano mistakes found`;
    const [warning = ''] = (await says('site check')).split('\n');
    assert.ok(warning.startsWith(`${name} is a link`), warning);
    assert.ok(server.stderr.includes(warning), server.stderr.join('\n'));
  });

  it('stay in the JSON of check', async () => {
    write({ ...JSON.parse(sample), [HOSTILE]: 1 });
    const { stdout } = await tool('site check --json');
    assert.ok(JSON.parse(stdout).mistakes[0].includes(`"${HOSTILE}"`), stdout);
  });
});

describe('a site that the service may not read', { skip: lacksRoot }, () => {
  const run = (script: string, ...args: readonly string[]) => {
    const command = [
      ...WITHOUT_FILE_RIGHTS,
      process.execPath,
      path.join(installation.root, script),
      ...args,
    ];
    return runToEnd(command, { env: { ...process.env, PORT: '0' } });
  };
  beforeEach(() => {
    fs.cpSync(SAMPLE_SITE, own, { recursive: true });
    fs.chmodSync(path.dirname(own), 0o700);
  });

  it('is one line with the remedy at start, reload and check', async () => {
    const server = await installation.start({}, WITHOUT_FILE_RIGHTS);
    const images = path.join(own, 'images');
    fs.chownSync(images, 12_345, 12_345);
    fs.chmodSync(images, 0o700);
    const said =
      'data/site/content.json: images cannot be read (EACCES: permission denied, scandir ';
    const { status, stdout, stderr } = run('server.js');
    assert.deepEqual([status, stdout], [1, '']);
    assert.ok(stderr.startsWith(said), stderr);
    assert.ok(stderr.endsWith(`; as root: chmod -R a+rX ${fs.realpathSync(own)}\n`), stderr);
    assert.match(stderr, /^.*\n$/);
    assert.equal(run('tools/site.js', 'check').stderr, stderr);
    // extra: doctor
    const { stdout: found } = run('tools/doctor.js');
    assert.ok(found.includes(`FAULT  site      ${stderr}ok     store`), found);
    // end: doctor
    server.process.kill('SIGHUP');
    await server.reports(/not reloaded/);
    assert.ok(server.stderr.includes(`the site was not reloaded: ${stderr.trimEnd()}`));
  });

  it('is to be opened, or copied out of a folder that is closed', () => {
    const closed = temporaryFolder();
    const folder = path.join(closed, 'my site');
    fs.cpSync(SAMPLE_SITE, folder, { recursive: true });
    fs.chownSync(closed, 12_345, 12_345);
    fs.chmodSync(closed, 0o700);
    const copy = `this user may not enter ${closed}; copy the folder to one that it may enter, such as`;
    const { stderr } = run('tools/site.js', 'check', folder);
    assert.ok(stderr.endsWith(`; ${copy} /srv\n`), stderr);
    fs.chmodSync(closed, 0o755);
    fs.chownSync(folder, 12_345, 12_345);
    fs.chmodSync(folder, 0o700);
    const open = run('tools/site.js', 'check', folder).stderr;
    assert.ok(open.endsWith(`; as root: chmod -R a+rX '${folder}'\n`), open);
  });

  it('of data/ does not lead to the sample', async () => {
    // Loads the tool, because the checkout may be closed to others.
    await tool('site --help');
    fs.chmodSync(installation.root, 0o755);
    process.seteuid?.(12_345);
    try {
      const { status, stderr } = await tool('site check');
      assert.match(stderr, /^data\/ cannot be read \(EACCES.*\); run this as its owner\n$/);
      assert.equal(status, 1);
    } finally {
      process.seteuid?.(0);
    }
  });
});
