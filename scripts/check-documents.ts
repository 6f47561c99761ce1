/**
 * Checks that the files, headings, tools, options and npm scripts named in the documents exist, for `npm run
 * check`.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib/config.ts';

/** `[text](target)`, but not an address on another site, or of a file for guests: `/media/a.pdf`. */
const LINK = /\[[^\]]*\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g;

/** A path in one of the repository's folders, without the placeholders NNN and `*`. */
const FILE =
  /(?<![\w./-])(?:deploy|docs|lib|pages|scripts|sql|test|tools)\/(?!NNN)[\w./-]*\w(?![\w*])/g;

/** `guestlist person`, but not `exec guestlist guestlist …` or `-o guestlist -g guestlist`. */
const TOOL = /(?<![\w/.-])guestlist (?!guestlist)([a-z]+)/g;

/** `guestlist invite list --csv`, with its options, to the end of the command. */
const CALL = /(?<![\w/.-])guestlist (?!guestlist)([a-z]+)((?:\\\n|[^`\n|<>;&])*)/g;

const OPTION = /(?<= )--[a-z][\w-]*/g;

const SCRIPT = /\bnpm run (?:--\w+ )?([\w:-]+)/g;

process.chdir(root);
const exists = (file: string) => fs.existsSync(file) || fs.existsSync(file.replace(/js$/, 'ts'));
const { stdout, status } = spawnSync('git', ['ls-files', '*.md'], { encoding: 'utf8' });
const { scripts } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
/** The code that the tools share, and the code of the extras, which have their own options. */
const sharedCode = ['lib/cli', 'lib/extras']
  .filter((folder) => fs.existsSync(folder))
  .flatMap((folder) =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => fs.readFileSync(path.join(folder, name), 'utf8')),
  )
  .join('');
/** Whether the usage of a tool has an option. */
const hasOption = (tool: string, option: string) =>
  `${sharedCode}${fs.readFileSync(`tools/${tool}.ts`, 'utf8')}`.includes(option);
for (const document of stdout.split('\n').filter(Boolean)) {
  const text = fs.readFileSync(document, 'utf8');
  const say = (fault: string) => {
    console.error(`${document}: ${fault}`);
    process.exitCode = 1;
  };
  for (const [, target = '', anchor] of text.matchAll(LINK)) {
    const file = target === '' ? document : path.join(path.dirname(document), target);
    if (!exists(file)) say(`the link to ${target} leads nowhere`);
    else if (anchor && !anchorsOf(file).includes(anchor)) say(`${file} has no heading #${anchor}`);
  }
  for (const [file] of text.matchAll(FILE)) if (!exists(file)) say(`there is no ${file}`);
  for (const [, tool = ''] of text.matchAll(TOOL))
    if (tool !== 'serve' && !exists(`tools/${tool}.ts`)) say(`there is no tool ${tool}`);
  for (const [, tool = '', words = ''] of text.matchAll(CALL)) {
    if (!fs.existsSync(`tools/${tool}.ts`)) continue;
    for (const [option] of words.matchAll(OPTION))
      if (!hasOption(tool, option)) say(`guestlist ${tool} has no option ${option}`);
  }
  for (const [, script = ''] of text.matchAll(SCRIPT))
    if (!(script in scripts)) say(`there is no npm script ${script}`);
}
if (status !== 0) process.exitCode = 1;

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): readonly string[] {
  const headings = fs.readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  const anchor = (heading: string) => heading.toLowerCase().replace(/[^\w\- ]/g, '');
  return Array.from(headings, ([, heading = '']) => anchor(heading).replaceAll(' ', '-'));
}
