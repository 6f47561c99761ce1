/** What the start and the check say of a site that is valid, but may not be what its owner wants. */
import type { Content } from './content.ts';
import { DEFAULT_WORDS, INVITATION_TEXT, REMINDER_TEXT, SUBJECT_TEXT } from './default-words.ts';
import { longestWord } from './render.ts';

/** Width of the title on a phone of 360 px, in its smallest letters: em. */
const PHONE = 9;

export function adviseOn(content: Content): readonly string[] {
  return [english(content), brokenTitle(content), outOfOrder(content)].filter(Boolean);
}

function english({ language, words, invitation, reminder, subject }: Content): string {
  if (/^en\b/.test(language.lang)) return '';
  const texts = { invitation, reminder, subject };
  const defaults = {
    invitation: INVITATION_TEXT,
    reminder: REMINDER_TEXT,
    subject: SUBJECT_TEXT,
  };
  const sentences = same(words, DEFAULT_WORDS).length;
  const left = [
    ...(sentences > 0 ? [`${sentences} sentences of words`] : []),
    ...same(texts, defaults),
  ];
  if (left.length === 0) return '';
  const start = language.lang.startsWith('de') ? 'words-de.json' : 'words-en.json';
  return `language is ${language.lang}, but still in English are ${left.join(', ')}: start from ${start}`;
}

type Texts = Readonly<Record<string, string>>;

const same = (own: Texts, defaults: Texts): readonly string[] =>
  Object.keys(defaults).filter((name) => own[name] === defaults[name]);

function brokenTitle({ title }: Content): string {
  const { word, width } = longestWord(title);
  if (width <= PHONE) return '';
  return `title: "${word}" breaks on a phone; mark where it may be divided by \\u00ad`;
}

function outOfOrder({ timeline }: Content): string {
  const at = timeline.findIndex(({ date }, i) => date < (timeline[i - 1]?.date ?? ''));
  if (at < 0) return '';
  return `timeline[${at}]: its date is before that of the entry above; the order of the file counts`;
}
