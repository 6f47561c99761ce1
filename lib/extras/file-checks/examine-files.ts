/**
 * Looks at each served file of an owner once: what it tells everybody who can load it, and what
 * browsers do not show of it.
 */
import type { SiteFiles } from '../../site/field-readers.ts';
import { isPointer, POINTER_FAULT } from '../../site/json.ts';
import { MAX_PICTURE } from '../../site/site-files.ts';
import { findFaults } from './faults.ts';
import { describePlace } from './places.ts';
import { type ServedFile, withFile } from './served-file.ts';
import { describeScripts } from './svg-scripts.ts';

/** Warns of what files tell. Adds their faults, which count if a field or a text names the file. */
export function examineFiles(files: SiteFiles): void {
  const room = Buffer.allocUnsafe(MAX_PICTURE);
  for (const [url, path] of [...files.public, ...files.gated])
    withFile(nameOf(url, path), path, room, (file) => {
      for (const told of whatItTells(file))
        if (told !== undefined) files.warnings.add(`${file.name} ${told}`);
      files.faults.set(url, findFaults(file));
    });
}

/** The name for commands: the end of the path. A URL may have another Unicode form. */
const nameOf = (url: string, path: string): string =>
  path
    .split('/')
    .slice(1 - url.split('/').length)
    .join('/');

/** @returns sentences without their subject, the file */
function whatItTells(file: ServedFile): readonly (string | undefined)[] {
  if (isPointer(file.bytes)) return [POINTER_FAULT];
  return [describeScripts(file), describePlace(file)];
}
