/** scripts/check-documents.ts, in a repository of one document. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { runToEnd } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

const folder = temporaryFolder();
for (const file of ['scripts/check-documents.ts', 'lib/config.ts', 'lib/url.ts', 'package.json'])
  fs.cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
fs.mkdirSync(path.join(folder, 'tools'));
fs.writeFileSync(path.join(folder, 'tools/invite.ts'), "usage: 'list [--csv]'");

/** What the check says about a document. */
function check(text: string): string {
  fs.writeFileSync(path.join(folder, 'README.md'), text);
  runToEnd(['sh', '-c', 'git init -q && git add README.md'], { cwd: folder });
  const script = path.join(folder, 'scripts/check-documents.ts');
  return runToEnd([process.execPath, '--import', 'tsx', script], { cwd: folder }).stderr;
}

test('a document that names only what exists has no fault', () => {
  const text = `# One heading

    guestlist invite list --csv
    guestlist invite list | sort --unique
    docker compose exec guestlist guestlist invite list
    ln -s /var/lib/guestlist data
    systemctl stop guestlist.socket guestlist
    guestlist serve

[above](#one-heading), tools/invite.ts, npm run check
`;
  assert.equal(check(text), '');
});

for (const [text, fault] of [
  ['Run `guestlist person forget`.', 'there is no tool person'],
  ['Run `node tools/person.js forget`.', 'there is no tools/person.js'],
  ['Run `guestlist invite add \\\n  --file -`.', 'guestlist invite has no option --file'],
  ['[here](none.md)', 'the link to none.md leads nowhere'],
  ['[here](#none)', 'README.md has no heading #none'],
  ['Run npm run none.', 'there is no npm script none'],
] as const)
  test(`the check of documents says: ${fault}`, () => {
    assert.equal(check(text), `README.md: ${fault}\n`);
  });
