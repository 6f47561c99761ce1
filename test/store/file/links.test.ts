/** Links in place of files of the store: every program refuses them with the same message. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { lacksRoot, lacksStrace } from '../../support/lacks.ts';
import { siteForEach } from '../../support/site.ts';

const site = siteForEach();
const data = path.dirname(site.store);
beforeEach(() => site.invite('ada@example.com'));

describe('a store that is a link', () => {
  const moveAway = (): string => {
    const elsewhere = fs.mkdtempSync(path.join(site.root, 'elsewhere-'));
    fs.renameSync(data, elsewhere);
    return elsewhere;
  };

  test('is refused by the server and by every tool with the remedy, and not changed', () => {
    const elsewhere = moveAway();
    const target = path.join(elsewhere, 'guestlist.db');
    const before = fs.readFileSync(target);
    fs.mkdirSync(data);
    fs.symlinkSync(target, site.store);
    for (const refused of [
      site.run(),
      site.tool('invite', 'list'),
      site.tool('invite', 'add', 'grace@example.com'),
      site.tool('backup', 'create'),
      site.tool('backup', 'restore', target, '--yes'),
      site.tool('person', 'forget', 'ada@example.com', '--yes'),
    ]) {
      assert.equal(refused.status, 1, refused.stdout);
      assert.match(
        refused.stderr,
        /guestlist\.db is a link; put the file itself into .*, or let .* be a link to another folder\n$/,
      );
    }
    assert.ok(fs.lstatSync(site.store).isSymbolicLink());
    assert.deepEqual(fs.readFileSync(target), before);
  });

  test('may be in a folder that is a link', async () => {
    fs.symlinkSync(moveAway(), data);
    const server = await site.start();
    await server.stop();
    assert.equal(site.tool('backup', 'create').status, 0);
    assert.match(site.tool('invite', 'list').stdout, /ada@example\.com/);
  });
});

test('a snapshot that is a link is not restored', () => {
  const secret = path.join(site.root, 'secret');
  fs.writeFileSync(secret, 'a file of root');
  const name = 'guestlist-20260101T000000Z.db';
  fs.mkdirSync(path.join(data, 'backups'));
  fs.symlinkSync(secret, path.join(data, 'backups', name));
  const { status, stderr } = site.tool('backup', 'restore', name, '--yes');
  assert.equal(status, 1);
  assert.match(stderr, /is a link; name the file that it points to\n$/);
});

test('root changes no owner through a link that the owner of the data puts in place', {
  skip: lacksRoot || lacksStrace(),
}, async () => {
  for (const file of [data, site.store]) fs.chownSync(file, 12_345, 12_345);
  const victim = path.join(site.root, 'victim');
  fs.writeFileSync(victim, 'a file of root');
  const draft = path.join(data, 'backups', 'draft');
  const tool = path.join(site.root, 'tools', 'backup.js');
  // Two seconds between the creation of each file and the change of its owner.
  const delay = ['-e', 'trace=chown,fchown', '-e', 'inject=chown,fchown:delay_enter=2000000'];
  const link = path.join(site.root, 'link');
  fs.symlinkSync(victim, link);
  // Again if this process slept through the two seconds.
  for (let swapped = false; !swapped; ) {
    const running = execFile('strace', ['-f', ...delay, process.execPath, tool, 'create']);
    const ended = new Promise((resolve) => running.once('close', resolve));
    while (running.exitCode === null && !swapped) {
      swapped = fs.existsSync(draft);
      if (swapped) fs.renameSync(link, draft);
      else await setTimeout(5);
    }
    await ended;
  }
  assert.equal(fs.statSync(victim).uid, 0);
  assert.equal(fs.readFileSync(victim, 'utf8'), 'a file of root');
});
