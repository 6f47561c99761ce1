/** Lists the owner's files that are served: the folder of a file is its permission. */
import fs from 'node:fs';
import path from 'node:path';

export type ServedFile = readonly [url: string, file: string];

/** The files for everybody, and those for visitors with a session. */
export const listServedFiles = (folder: string) => ({
  public: [...plainFiles(folder, 'public')],
  gated: [...plainFiles(folder, 'images'), ...plainFiles(folder, 'media')],
});

/** All plain files of a folder. Hidden files and folders, links and other kinds are left out. */
function* plainFiles(parent: string, name: string, at = '/'): Generator<ServedFile> {
  const file = path.join(parent, name);
  const state = fs.lstatSync(file, { throwIfNoEntry: false });
  // As in the site's own links, in one Unicode form, because systems differ.
  const url = at + encodeURIComponent(name.normalize());
  if (name.startsWith('.')) return;
  if (state?.isFile()) yield [url, file];
  if (state?.isDirectory())
    for (const each of fs.readdirSync(file)) yield* plainFiles(file, each, `${url}/`);
}
