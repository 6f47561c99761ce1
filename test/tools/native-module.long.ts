/** Server and tools if the native module of better-sqlite3 cannot be loaded. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import type { Finding } from '../../lib/extras/doctor/examine.ts'; // extra: doctor
import type { Installation } from '../support/installation.ts';
import { installationForAll } from '../support/temporary.ts';
import { toolsOn } from '../support/tools.ts'; // extra: restore

const CALLS = [
  'joins list',
  'invite add bo@example.com',
  'backup create',
  'person forget ada@example.com', // extra: erasure
];

for (const [name, addon, why] of [
  ['not built', undefined, 'Could not locate the bindings file'],
  ['not for this machine', 'made for something else', '.*better_sqlite3\\.node: .+'],
] as const)
  it(`better-sqlite3 that is ${name} is one line with the remedy`, async () => {
    const installation = installationForAll();
    replaceAddon(installation, addon);
    const remedy = `in ${fs.realpathSync(installation.root)}/: npm rebuild better-sqlite3`;
    const line = new RegExp(`^better-sqlite3 cannot be loaded: ${why}; ${remedy}`);
    const call = (words: string) => {
      const [tool = '', ...args] = words.split(' ');
      return installation.tool(tool, ...args);
    };
    assert.match(installation.run().stderr, line);
    installation.invite('ada@example.com');
    const calls = CALLS.map(call);
    // extra: restore
    const { file } = await toolsOn(installation.store).json<{ file: string }>('backup create');
    calls.push(call(`backup restore ${file}`));
    // end: restore
    for (const { status, stdout, stderr } of [...calls, installation.run()]) {
      assert.deepEqual([status, stdout, stderr.split('\n').length], [1, '', 2]);
      assert.match(stderr, line);
    }
    // extra: doctor
    const { status, stdout } = call('doctor --json');
    const found: readonly Finding[] = JSON.parse(stdout);
    const of = (name: string) => found.find(({ check }) => check === name);
    assert.deepEqual([status, of('site')?.status], [1, 'ok']);
    assert.match(of('store')?.message ?? '', line);
    // end: doctor
  });

/** Gives an installation its own better-sqlite3, with this text, or no file, as native module. */
function replaceAddon(installation: Installation, addon: string | undefined): void {
  const modules = path.join(installation.root, 'node_modules');
  const real = fs.realpathSync(modules);
  fs.rmSync(modules);
  fs.mkdirSync(modules);
  for (const name of fs.readdirSync(real))
    if (name !== 'better-sqlite3') fs.symlinkSync(path.join(real, name), path.join(modules, name));
  const own = path.join(modules, 'better-sqlite3');
  for (const part of ['package.json', 'lib'])
    fs.cpSync(path.join(real, 'better-sqlite3', part), path.join(own, part), { recursive: true });
  if (addon === undefined) return;
  fs.mkdirSync(path.join(own, 'build', 'Release'), { recursive: true });
  fs.writeFileSync(path.join(own, 'build', 'Release', 'better_sqlite3.node'), addon);
}
