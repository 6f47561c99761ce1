/** Reads and checks `content.json`: everything that a visitor reads. */
import { entry } from './entries.ts';
import type { Files } from './files.ts';
import { parseJson } from './json.ts';
import { ENGLISH, invitation, language, reminder, words } from './language.ts';
import { paragraphs } from './paragraphs.ts';
import { line, list, object, optional } from './reader.ts';
import { theme } from './theme.ts';

export type Content = ReturnType<typeof readContent>;

/** The default texts of the entry page, which reveal nothing. */
const NEUTRAL = {
  title: 'Private preview',
  sentence: 'This preview is by invitation.',
  description: 'Enter with the email address that was invited.',
};

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
    // Public; the fields below are for logged-in visitors.
    entry: optional(object({ title: line, sentence: line, description: line }), NEUTRAL),
    title: line,
    tagline: line,
    timeline: list(entry(files)),
    join: object({ headline: line, text: paragraphs, button: line }),
    // For administrators.
    invitation,
    reminder,
  })(parseJson(file), '');
}
