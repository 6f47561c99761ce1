/** The parts of the bench that need no load. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { aimsTable } from './aims.ts';
import { readOptions, UsageError } from './options.ts';
import { type CpuProfile, functionCosts, partCosts } from './parts.ts';

it('each aim stands beside what was reached, as shown; a missed aim says so', () => {
  const lines = aimsTable({ timeline: 0.546, visitors: 0.414, refresh: 10.04, idle: 61.6 }).split(
    '\n',
  );
  assert.deepEqual(
    lines.slice(2, -1).map((line) =>
      line
        .split('|')
        .slice(2, 4)
        .map((cell) => cell.trim()),
    ),
    [
      ['at least 0.55', '0.55'],
      ['at least 0.42', '**missed**: 0.41'],
      ['at most 10 ms', '10.0 ms'],
      ['at most 62 MB', '62 MB'],
    ],
  );
  assert.equal(aimsTable({}), '');
});

it('only a whole run may go into the documents', () => {
  const read = (...args: string[]) => {
    const options = readOptions(args);
    return options === 'help' ? options : options.complete;
  };
  assert.equal(read(), true);
  assert.equal(read('--soak'), true);
  for (const option of ['--quick', '--profile', '--rounds=2', '--only=me', '--against=/x'])
    assert.equal(read(option), false, option);
  assert.equal(read('--help'), 'help');
  assert.throws(() => read('--only', 'nothing'), UsageError);
  assert.throws(() => read('--rounds', '0'), UsageError);
});

it('a profile is summed by part: what lib/ calls counts for it, what lib/http/ calls for Node', () => {
  const tree: readonly (readonly [name: string, file: string, children: readonly number[]])[] = [
    ['(root)', '', [2, 6, 9, 10, 11]],
    ['respond', 'file:///srv/lib/http/listener.js', [3, 4]],
    ['writev', '', []],
    ['find', 'file:///srv/lib/store/rows/sessions.js', [5]],
    ['update', 'node:internal/crypto/hash', []],
    ['flush', 'file:///srv/lib/store/commit-queue.js', [7, 8]],
    ['run', 'file:///elsewhere/node_modules/better-sqlite3/lib/x.js', []],
    ['fdatasync', '', []],
    ['(garbage collector)', '', []],
    ['(idle)', '', []],
    ['(program)', '', []],
  ];
  const profile: CpuProfile = {
    nodes: tree.map(([functionName, url, children], i) => ({
      id: i + 1,
      callFrame: { functionName, url, lineNumber: 0 },
      children,
    })),
    startTime: 1000,
    // The first sample is before the window, the last one after it.
    samples: [2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 2],
    timeDeltas: [10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10],
  };
  const shares = partCosts(functionCosts(profile, '/srv', [1015, 1115]));
  assert.deepEqual(
    shares.map(([part, share]) => [part, Math.round(share * 9)]),
    [
      ['Node itself: sockets, parser, event loop', 2],
      ['session and its proof', 2],
      ['record and commit', 2],
      ['router and HTTP', 1],
      ['handing the sync to a thread', 1],
      ['garbage collection', 1],
    ],
  );
});
