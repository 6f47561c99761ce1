/**
 * The power fails at any moment: what was said to be done is there. The long form has more stories,
 * and cuts each of them more often.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newFolder, replay } from './power-cut/disk.ts';
import { BACKUP, ERASURE, FIRST, FOREIGN, LOG, MIGRATION } from './power-cut/faults.ts';
import { proveEach } from './power-cut/proof.ts';
import {
  backupAfterKill,
  firstInvite,
  foreignFolder,
  load,
  migration,
  snapshotWithLog,
} from './power-cut/stories.ts';
import { inTrace } from './power-cut/trace.ts';

const random = 40;

proveEach({
  'the server under load': { story: load, random, faults: LOG },
  'the first invite': { story: firstInvite, random, faults: FIRST },
  'the first invite, in the folder of another program': {
    story: foreignFolder,
    random,
    faults: FOREIGN,
  },
  'a backup after one that was killed': {
    story: backupAfterKill,
    random,
    faults: BACKUP,
  },
  'a person erased from a snapshot with a log': {
    story: snapshotWithLog,
    random,
    faults: ERASURE,
  },
  'a store of 1.0.0, and the snapshot before its migration': {
    story: migration,
    random,
    faults: MIGRATION,
  },
});

it('a call that the model does not know is refused where it concerns the disk', () => {
  const root = '/srv/guestlist';
  const [folder, known, other] = [`${root}/data`, `${root}/data/a`, '/srv/b'].map(inTrace);
  const OPEN = ['openat', `AT_FDCWD</>, "${known}", O_RDWR|O_CREAT`, 3] as const;
  const MKDIR = ['mkdir', `"${folder}", 0700`, 0] as const;
  const run = (...calls: readonly (readonly [name: string, args: string, result: number])[]) =>
    replay(newFolder(), root, [
      [MKDIR, OPEN, ...calls].map(([name, args, result], began) => {
        const [, descriptor = '-1', target = ''] = /^(\d+)<([^>]*)>/.exec(args) ?? [];
        const at = { began: 2 * began, returned: 2 * began + 1 };
        return { name, args, result, descriptor: Number(descriptor), target, ...at };
      }),
    ]);
  run(['write', `3<${known}>, "\\x61"`, 1], ['fcntl', `3<${known}>, F_SETLK, {}`, 0]);
  run(['lseek', `4<${other}>, 0, SEEK_SET`, 0], ['truncate', `"${other}", 5`, 0]);
  for (const [name, args, result = 0] of [
    ['lseek', `3<${known}>, 0, SEEK_SET`],
    ['truncate', `"${known}", 5`],
    ['openat', `AT_FDCWD</>, "${known}", O_WRONLY|O_APPEND`, 4],
    ['openat', `3<${folder}>, "${inTrace('a')}", O_WRONLY|O_APPEND`, 4],
    ['openat', `AT_FDCWD</>, "${folder}", O_RDWR|O_TMPFILE`, 4],
    ['dup', `3<${known}>`, 4],
    ['dup2', `3<${known}>, 4`, 4],
    ['fcntl', `3<${known}>, F_DUPFD_CLOEXEC, 0`, 4],
    ['fcntl', `3<${known}>, F_SETFL, O_APPEND`],
    ['write', `4<${known}>, "\\x61"`, 1],
    ['mmap', `NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 3<${known}>, 0`, 1],
    ['fallocate', `3<${known}>, 0, 0, 4096`],
    ['sendfile', `3<${known}>, 5<${other}>, NULL, 10`, 10],
    ['copy_file_range', `5<${other}>, NULL, 3<${known}>, NULL, 10, 0`, 10],
    ['ioctl', `3<${known}>, FICLONE, 5<${other}>`],
    ['rename', `"${other}", "${known}"`],
    ['rename', `"${known}", "${other}"`],
    ['renameat2', `AT_FDCWD</>, "${known}", AT_FDCWD</>, "${known}", RENAME_EXCHANGE`],
    ['link', `"${other}", "${known}"`],
    ['symlink', `"${other}", "${known}"`],
    ['clone', 'child_stack=NULL, flags=SIGCHLD', 7],
    ['io_uring_setup', '64, {flags=IORING_SETUP_SQPOLL}', 4],
    ['a_call_of_the_future', `3<${known}>`],
  ] as const)
    assert.throws(() => run([name, args, result]), /^Error: not modelled: /, `${name}(${args})`);
});
