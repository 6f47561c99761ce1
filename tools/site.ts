/** Begins the owner's site from the sample, and checks it before a start or a reload. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Refusal, runFromShell, UsageError } from '../lib/cli/shell.ts';
import { printOutcome } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { commandFor, describeLostLink } from '../lib/config.ts';
import { examineFiles } from '../lib/extras/file-checks/examine-files.ts'; // extra: file-checks
import { warnOfLongLetters } from '../lib/extras/letters/letters.ts'; // extra: letters
import { DEFAULT_LETTERS, DEFAULT_WORDS } from '../lib/site/default-words.ts';
import { ContentError } from '../lib/site/field-readers.ts';
import { readLanguage } from '../lib/site/language.ts';
import { loadSite, OWN_SITE, SAMPLE_SITE, showWarning, siteFolder } from '../lib/site/site.ts';
import { visible } from '../lib/visible.ts';

export const main = defineTool('site', [
  {
    usage: 'init [--language <code>]',
    help: `copy the sample to data/site, to begin your own site
      --language de: a German sample with one entry
      --language with another code: the sample in English, and the words to translate`,
    run(call) {
      const language = readLanguageOption(call);
      init(language);
      const lines = [
        `the sample is now in ${OWN_SITE}; edit it, then run: ${commandFor('site check')}`,
      ];
      if (language !== undefined && !/^(de|en)\b/.test(language))
        lines.push(
          `The sample is in English. Its language in content.json is now ${language}: translate the texts`,
          'there, and add translated fields of words-en.json. Each field keeps its English name.',
        );
      printOutcome(call, lines.join('\n'), { folder: OWN_SITE });
    },
  },
  {
    usage: 'check [folder]',
    help: `read the site as the service does at its start, and name each mistake;
      the exit status is 0 only if there is no mistake`,
    run(call) {
      try {
        const site = loadSite(
          call.words[0] ?? siteFolder(),
          call.env.PUBLIC_ORIGIN ?? '',
          'check',
          examineFiles, // extra: file-checks
        );
        const { folder } = site;
        const warnings = [...site.warnings];
        // extra: letters
        if (!site.isSample)
          for (const warning of warnOfLongLetters(site.letters))
            warnings.push(path.join(folder, warning));
        // end: letters
        const lines = warnings.map(showWarning);
        lines.push(`${visible(folder)}: no mistakes${countOf(warnings)}`);
        printOutcome(call, lines.join('\n'), { folder, mistakes: [], warnings });
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
        if (!call.json) throw new Refusal(error.message);
        printOutcome(call, '', { mistakes: error.mistakes, warnings: [] });
        throw new Refusal();
      }
    },
  },
]);

/** @returns `, 4 warnings`; nothing for none */
function countOf(warnings: readonly string[]): string {
  if (warnings.length === 0) return '';
  return warnings.length === 1 ? ', 1 warning' : `, ${warnings.length} warnings`;
}

/** @returns a language tag. @throws {UsageError} */
function readLanguageOption(call: Call): string | undefined {
  const written = call.option('language');
  if (written === undefined) return undefined;
  try {
    return readLanguage(written, '--language').lang;
  } catch (error) {
    if (error instanceof ContentError) throw new UsageError(error.message);
    throw error;
  }
}

/** The error codes of a rename if the target exists. */
const TAKEN = ['EEXIST', 'ENOTDIR', 'ENOTEMPTY'];

/** Whether the folder has only `.git`, as after `git init`. */
const isOnlyRepository = (): boolean =>
  fs.existsSync(OWN_SITE) && fs.readdirSync(OWN_SITE).join() === '.git';

function moveInto(from: string, to: string): void {
  for (const name of fs.readdirSync(from))
    fs.renameSync(path.join(from, name), path.join(to, name));
}

/** Copies the sample. If that fails, nothing of it is left. */
function init(language: string | undefined): void {
  const lost = describeLostLink(path.dirname(OWN_SITE));
  if (lost !== undefined) throw new Refusal(lost);
  const draft = `${OWN_SITE}-draft`;
  fs.mkdirSync(path.dirname(OWN_SITE), { recursive: true, mode: 0o700 });
  fs.rmSync(draft, { recursive: true, force: true });
  try {
    fs.cpSync(SAMPLE_SITE, draft, { recursive: true });
    fs.mkdirSync(path.join(draft, 'public'));
    const content = path.join(draft, 'content.json');
    if (language !== undefined && /^de\b/.test(language))
      fs.renameSync(path.join(draft, 'words-de.json'), content);
    if (language !== undefined) nameLanguage(content, language);
    const english = JSON.stringify({ words: DEFAULT_WORDS, ...DEFAULT_LETTERS }, null, 2);
    fs.writeFileSync(path.join(draft, 'words-en.json'), `${english}\n`);
    // If root makes the copy, the service must read it. It is in `data/`, which nobody else can
    // read.
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

/** Writes the field `language` into a content file, and keeps its layout. */
function nameLanguage(content: string, language: string): void {
  const json = fs.readFileSync(content, 'utf8');
  const others = json.replace(/\n {2}"language": .*/, '');
  fs.writeFileSync(content, others.replace('{', `{\n  "language": "${language}",`));
}

await runFromShell(import.meta.url, main);
