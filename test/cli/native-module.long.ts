/** Server and tools if the native module of better-sqlite3 cannot be loaded. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Finding } from '../../lib/doctor/examine.ts';
import { type Installation, install, type Result } from '../support/installation.ts';

const READERS = [
  ['invite', 'list'],
  ['joins', 'list'],
  ['events', 'stats'],
  ['person', 'export', 'ada@example.com'],
] as const;

/** Commands that use the store. */
const TOOLS = [
  ...READERS,
  ['invite', 'add', 'grace@example.com'],
  ['person', 'forget', 'ada@example.com', '--yes'],
  ['backup', 'create'],
  ['backup', 'list'],
] as const;

const STATES = [
  { name: 'not built', addon: undefined, why: 'it is not built' },
  {
    name: 'no module for this machine',
    addon: 'made for something else',
    why: '/.*better_sqlite3\\.node: .+',
  },
] as const;

for (const { name, addon, why } of STATES) {
  describe(`better-sqlite3 that is ${name}`, () => {
    const says = (site: Installation, message: string, remedy: string) => {
      assert.match(message, new RegExp(`^better-sqlite3 cannot be loaded: ${why}$`));
      assert.ok(remedy.startsWith(`in ${fs.realpathSync(site.root)}/: npm rebuild better-sqlite3`));
    };
    const refuses = (site: Installation, { status, stdout, stderr }: Result) => {
      const [line = '', ...rest] = stderr.split('\n');
      assert.deepEqual({ status, stdout, rest }, { status: 1, stdout: '', rest: [''] });
      const [message = '', remedy = ''] = line.split('; ');
      says(site, message, remedy);
    };

    it('stops server and tools with one line and status 1', async () => {
      const site = install();
      try {
        site.tool('invite', 'add', 'ada@example.com');
        assert.equal(site.tool('backup', 'create').status, 0);
        replaceAddon(site, addon);
        refuses(site, site.run());
        for (const [tool, ...args] of TOOLS) refuses(site, site.tool(tool, ...args));
        const [snapshot = ''] = fs.readdirSync(path.join(site.root, 'data', 'backups'));
        refuses(site, site.tool('backup', 'restore', snapshot));
      } finally {
        await site.remove();
      }
    });

    it('does so if there is no store yet', async () => {
      const site = install();
      try {
        replaceAddon(site, addon);
        for (const [tool, ...args] of READERS) refuses(site, site.tool(tool, ...args));
        refuses(site, site.run());
      } finally {
        await site.remove();
      }
    });

    it('is found by the doctor, which checks the rest as well', async () => {
      const site = install();
      try {
        site.tool('invite', 'add', 'ada@example.com');
        replaceAddon(site, addon);
        const { status, stdout } = site.tool('doctor', '--json');
        assert.equal(status, 1);
        const found: readonly Finding[] = JSON.parse(stdout);
        const of = (name: string) => found.find(({ check }) => check === name);
        const [message = '', remedy = ''] = of('node')?.message.split('; ') ?? [];
        says(site, message, remedy);
        assert.equal(of('disk')?.ok, true);
      } finally {
        await site.remove();
      }
    });
  });
}

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
