/** Lists the owner's files that are served: the folder of a file is its permission. */
import fs from 'node:fs';
import path from 'node:path';

export type ServedFile = readonly [url: string, file: string];

/** The files for everybody, and those for visitors with a session. */
export const listServedFiles = (folder: string) => ({
  public: [...plainFiles(folder, 'public')],
  gated: [...plainFiles(folder, 'images'), ...plainFiles(folder, 'media')],
});

/** The URL of a file by its name in the site's folder, in one Unicode form: systems differ. */
export const urlOf = (name: string): string =>
  name
    .normalize()
    .replace(/\p{Cs}/gu, '\uFFFD')
    .split('/')
    .map((part) => `/${encodeURIComponent(part)}`)
    .join('');

/** All plain files of a folder. Hidden files and folders, links and other kinds are left out. */
function* plainFiles(folder: string, name: string): Generator<ServedFile> {
  const file = path.join(folder, name);
  const state = fs.lstatSync(file, { throwIfNoEntry: false });
  if (state?.isFile()) yield [urlOf(name), file];
  if (!state?.isDirectory()) return;
  for (const each of fs.readdirSync(file))
    if (!each.startsWith('.')) yield* plainFiles(folder, `${name}/${each}`);
}
