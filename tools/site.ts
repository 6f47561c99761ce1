/** The owner's way to begin a site, and to check it before a start or a reload. */
import fs from 'node:fs';
import path from 'node:path';
import { printOutcome } from '../lib/cli/terminal.ts';
import { Refusal, runTool } from '../lib/cli/tool.ts';
import { root } from '../lib/config.ts';
import { ContentError } from '../lib/site/reader.ts';
import { loadSite, OWN, SAMPLE, siteFolder } from '../lib/site/site.ts';
import { createPrivateFolder, sync } from '../lib/store/file/private-files.ts';

await runTool('site', [
  {
    form: 'init',
    help: `copy the sample to ${path.relative(root, OWN)}, to begin a site of your own`,
    run({ json }) {
      init();
      const text = `the sample is now in ${OWN}; change it, then: site check`;
      printOutcome(text, { folder: OWN }, json);
    },
  },
  {
    form: 'check [folder]',
    help:
      'read the site as the start of the service does, and name each mistake;\n' +
      'the exit status is 0 only if there is none',
    run({ words: [folder = siteFolder()], json }) {
      const { mistakes, warnings } = check(folder);
      if (mistakes.length > 0 && !json) throw new Refusal(mistakes.join('\n'));
      const lines = [...warnings, 'the content is fine'];
      printOutcome(lines.join('\n'), { mistakes, warnings }, json);
      if (mistakes.length > 0) process.exitCode = 1;
    },
  },
]);

/** Copies the sample, whole or not at all, for the owner of `data/`. */
function init(): void {
  const data = path.dirname(OWN);
  createPrivateFolder(data);
  actAsOwnerOf(data);
  process.umask(0o077);
  const draft = fs.mkdtempSync(`${OWN}-draft-`);
  try {
    for (const folder of ['public', 'images', 'media']) fs.mkdirSync(path.join(draft, folder));
    for (const name of fs.readdirSync(SAMPLE, { recursive: true, encoding: 'utf8' })) {
      const file = path.join(SAMPLE, name);
      // Not copied with its mode, which may let others read it.
      if (fs.statSync(file).isFile())
        fs.writeFileSync(path.join(draft, name), fs.readFileSync(file));
    }
    for (const name of ['', ...fs.readdirSync(draft, { recursive: true, encoding: 'utf8' })])
      sync(path.join(draft, name));
    fs.renameSync(draft, OWN);
    sync(data);
  } catch (error) {
    if (!/^(EEXIST|ENOTDIR|ENOTEMPTY)$/.test((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    throw new Refusal(`there is something at ${OWN} already; it was not changed`);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** Root gives up its rights: the owner of a folder could replace a name in it by a link. */
function actAsOwnerOf(folder: string): void {
  const { uid, gid } = fs.statSync(folder);
  if (process.getuid?.() !== 0 || uid === 0) return;
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

function check(folder: string) {
  try {
    return { mistakes: [], warnings: loadSite(folder, '').warnings };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { mistakes: error.mistakes, warnings: [] };
  }
}
