/** Reads and checks `content.json`: everything that a visitor reads. */
import { entry } from './entries.ts';
import type { Files } from './files.ts';
import { parseJson } from './json.ts';
import { ENGLISH, invitation, language, reminder, words } from './language.ts';
import { address, paragraphs } from './paragraphs.ts';
import { picture } from './picture.ts';
import { line, list, object, optional } from './reader.ts';
import { theme } from './theme.ts';

export type Content = ReturnType<typeof readContent>;

/** What strangers read. The default texts reveal nothing. */
const entryPage = object({
  title: optional(line, 'Private preview'),
  sentence: optional(line, 'This preview is by invitation.'),
  description: optional(line, 'Enter with the email address that was invited.'),
  contact: optional(paragraphs, undefined),
});

/**
 * Checks a content file.
 *
 * @param files finds the files that it names
 * @throws {ContentError} with all mistakes, each with its path: `timeline[3].date: not a date …`
 */
export function readContent(file: Buffer, files: Files) {
  return object({
    language: optional(language, ENGLISH),
    words,
    theme: optional(theme(files), undefined),
    // Public, and the links; the fields below are for logged-in visitors.
    entry: (value = {}, at) => entryPage(value, at),
    links: optional(list(object({ text: line, href: address })), []),
    title: line,
    tagline: line,
    opening: optional(object({ image: picture(files, 'images') }), undefined),
    timeline: list(entry(files)),
    join: object({
      headline: line,
      text: paragraphs,
      button: line,
      thanks: optional(paragraphs, undefined),
    }),
    // For administrators.
    invitation,
    reminder,
  })(parseJson(file), '');
}
