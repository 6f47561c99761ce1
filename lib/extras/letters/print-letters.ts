/** `invite list --letters`: prints the letters to people. */
import { withReadable } from '../../addresses/normalize.ts';
import { printList } from '../../cli/terminal.ts';
import type { Call } from '../../cli/tool.ts';
import { LOCAL_LINKS, readSettings } from '../../config.ts';
import type { ListedInvite } from '../../records.ts';
import { loadSite, siteFolder } from '../../site/site.ts';
import { LETTER_COLUMNS, type LetterKind, lettersTo, warnOfSample } from './letters.ts';

/**
 * Prints letters. A table of them leaves out their texts.
 *
 * @throws {ContentError} if the site has mistakes
 */
export function printLetters(call: Call, kind: LetterKind, rows: readonly ListedInvite[]): void {
  const { letters: texts } = loadSite(siteFolder(), readSettings(call.env).publicOrigin);
  const warning = warnOfSample(texts);
  if (warning !== undefined) call.warn(warning);
  const letters = lettersTo(kind, texts, rows.map(withReadable));
  if (letters.length > 0 && !call.env.PUBLIC_ORIGIN) call.warn(LOCAL_LINKS);
  printList(call, 'no letters: no guest matches', LETTER_COLUMNS, letters, [
    'email',
    'firstName',
    'link',
  ]);
}
