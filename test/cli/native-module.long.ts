/** Server and tools if the native module of better-sqlite3 cannot be loaded. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Finding } from '../../lib/doctor/examine.ts';
import type { Installation, Result } from '../support/installation.ts';
import { siteForAll } from '../support/site.ts';
import { toolsOn } from '../support/tools.ts';

const READERS = ['invite list', 'joins list', 'events stats', 'person export ada@example.com'];
const OTHERS = ['invite add bo@example.com', 'person forget ada@example.com', 'backup create'];

for (const [name, addon, why] of [
  ['not built', undefined, 'it is not built'],
  ['no module for this machine', 'made for something else', '/.*better_sqlite3\\.node: .+'],
] as const)
  describe(`better-sqlite3 that is ${name}`, () => {
    const says = (site: Installation, line = '') => {
      const [message = '', remedy = ''] = line.split('; ');
      assert.match(message, new RegExp(`^better-sqlite3 cannot be loaded: ${why}$`));
      assert.ok(remedy.startsWith(`in ${fs.realpathSync(site.root)}/: npm rebuild better-sqlite3`));
    };
    const refuses = (site: Installation, { status, stdout, stderr }: Result) => {
      const [line, ...rest] = stderr.split('\n');
      assert.deepEqual({ status, stdout, rest }, { status: 1, stdout: '', rest: [''] });
      says(site, line);
    };
    const call = (site: Installation, words: string) => {
      const [tool = '', ...args] = words.split(' ');
      return site.tool(tool, ...args);
    };

    const site = siteForAll();
    replaceAddon(site, addon);

    it('stops server and tools with one line and status 1, the server also without a store', async () => {
      refuses(site, site.run());
      site.invite('ada@example.com');
      const { file } = await toolsOn(site.store).json<{ file: string }>('backup create');
      for (const words of [...READERS, ...OTHERS, `backup restore ${file}`])
        refuses(site, call(site, words));
      refuses(site, site.run());
    });

    it('is found by the doctor, which checks the rest as well', () => {
      const { status, stdout } = site.tool('doctor', '--json');
      assert.equal(status, 1);
      const found: readonly Finding[] = JSON.parse(stdout);
      const of = (name: string) => found.find(({ check }) => check === name);
      says(site, of('store')?.message);
      assert.equal(of('site')?.status, 'ok');
    });
  });

/** Gives an installation its own better-sqlite3, with this text, or no file, as native module. */
function replaceAddon(site: Installation, addon: string | undefined): void {
  const modules = path.join(site.root, 'node_modules');
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
