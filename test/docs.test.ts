/** The documents: their links lead somewhere, and the commands of the README work as written. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../lib/config.ts';
import { install } from './service.ts';

const documents = ['README.md', 'CHANGELOG.md'];
for (const name of fs.readdirSync(path.join(root, 'docs')))
  if (name.endsWith('.md')) documents.push(`docs/${name}`);

const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');

/** `[text](docs/install.md#upgrade)`, but no address of a site, and no URL of ours: `/media/a.pdf`. */
const LINK = /\]\((?![a-z]+:|\/)([^)#\s]*)#?([^)\s]*)\)/g;

/** `## In containers` has the anchor `in-containers`. */
function anchorsOf(markdown: string): readonly string[] {
  return Array.from(markdown.matchAll(/^#+ (.*)/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

for (const document of documents)
  it(`the links of ${document} lead somewhere`, () => {
    for (const [link, file = '', anchor = ''] of read(document).matchAll(LINK)) {
      const target = file === '' ? document : path.join(path.dirname(document), file);
      assert.ok(fs.existsSync(path.join(root, target)), `${link} leads to no file`);
      if (anchor !== '') assert.ok(anchorsOf(read(target)).includes(anchor), link);
    }
  });

it('the commands of the first invitation work as the README has them', () => {
  const [, section = ''] = read('README.md').split('## The first invitation\n');
  const commands = section.split('\n## ')[0]?.match(/(?<=^ {4}).+/gm) ?? [];
  assert.equal(commands.length, 2);
  const folder = install();
  for (const command of commands) {
    const { status, stderr } = spawnSync(command, { cwd: folder, shell: true, encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(status, 0);
  }
  const list = execFileSync(process.execPath, ['tools/invite.js', 'list', '--json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.match(list, /"email": ?"ada@example.com"/);
  assert.match(list, /"isAdmin": ?true/);
});

it('the checks of a change begin with the two commands of the README', () => {
  const commands = read('README.md').match(/(?<=^ {4})npm ci.*/gm) ?? [];
  assert.deepEqual(commands, ['npm ci && npm start', 'npm ci && npm test']);
  const ends = ['&', '||'];
  for (const [i, command] of commands.entries())
    assert.ok(read('.ci/run').includes(`\n  ${command} ${ends[i]}`), command);
});
