/** Begins the owner's site from the sample, and checks it before a start or a reload. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readChoice } from '../lib/cli/arguments.ts';
import { Refusal, runFromShell } from '../lib/cli/shell.ts';
import { printOutcome } from '../lib/cli/terminal.ts';
import { defineTool } from '../lib/cli/tool.ts';
import { commandFor, describeLostLink } from '../lib/config.ts';
import { warnOfLongLetters } from '../lib/extras/letters/letters.ts'; // extra: letters
import { DEFAULT_LETTERS, DEFAULT_WORDS } from '../lib/site/default-words.ts';
import { ContentError } from '../lib/site/field-readers.ts';
import { loadSite, OWN_SITE, SAMPLE_SITE, siteFolder } from '../lib/site/site.ts';
import { visible } from '../lib/visible.ts';

export const main = defineTool('site', [
  {
    usage: 'init [--language <de>]',
    help: `copy the sample to data/site, to begin a site of your own;
      the German one has a single entry to replace`,
    run(call) {
      init(readChoice(call, 'language', ['de']));
      const text = `the sample is now in ${OWN_SITE}; edit it, then run: ${commandFor('site check')}`;
      printOutcome(call, text, { folder: OWN_SITE });
    },
  },
  {
    usage: 'check [folder]',
    help: `read the site as the start of the service does, and name each mistake;
      the exit status is 0 only if there is none`,
    run(call) {
      try {
        const site = loadSite(call.words[0] ?? siteFolder(), call.env.PUBLIC_ORIGIN ?? '', 'check');
        const { folder } = site;
        const warnings = [...site.warnings];
        // extra: letters
        if (!site.isSample)
          for (const warning of warnOfLongLetters(site.letters))
            warnings.push(path.join(folder, warning));
        // end: letters
        const lines = [...warnings, `no mistakes found in ${folder}`];
        const text = lines.map(visible).join('\n');
        printOutcome(call, text, { folder, mistakes: [], warnings });
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
        if (!call.json) throw new Refusal(error.message);
        printOutcome(call, '', { mistakes: error.mistakes, warnings: [] });
        throw new Refusal();
      }
    },
  },
]);

/** What a rename fails with where something is at the target. */
const TAKEN = ['EEXIST', 'ENOTDIR', 'ENOTEMPTY'];

/** Whether the folder has nothing but `.git`, as after `git init`. */
const isOnlyRepository = (): boolean =>
  fs.existsSync(OWN_SITE) && fs.readdirSync(OWN_SITE).join() === '.git';

function moveInto(from: string, to: string): void {
  for (const name of fs.readdirSync(from))
    fs.renameSync(path.join(from, name), path.join(to, name));
}

/** Copies the sample, whole or not at all. */
function init(language: 'de' | undefined): void {
  const lost = describeLostLink(path.dirname(OWN_SITE));
  if (lost !== undefined) throw new Refusal(lost);
  const draft = `${OWN_SITE}-draft`;
  fs.mkdirSync(path.dirname(OWN_SITE), { recursive: true, mode: 0o700 });
  fs.rmSync(draft, { recursive: true, force: true });
  try {
    fs.cpSync(SAMPLE_SITE, draft, { recursive: true });
    fs.mkdirSync(path.join(draft, 'public'));
    if (language === 'de')
      fs.renameSync(path.join(draft, 'words-de.json'), path.join(draft, 'content.json'));
    const english = JSON.stringify({ words: DEFAULT_WORDS, ...DEFAULT_LETTERS }, null, 2);
    fs.writeFileSync(path.join(draft, 'words-en.json'), `${english}\n`);
    // For the service, if root copies. `data/`, in which the copy lies, is not for others.
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    if (isOnlyRepository()) moveInto(draft, OWN_SITE);
    else fs.renameSync(draft, OWN_SITE);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!TAKEN.includes(code)) throw error;
    throw new Refusal(`there is something at ${OWN_SITE} already; it was not changed`);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

await runFromShell(import.meta.url, main);
