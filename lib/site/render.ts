/** Makes the pages from their templates and the content of the site. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import type { Content } from './content.ts';
import { fillTemplate, type Values } from './template.ts';
import { type Sentences, wordsIn } from './words.ts';

export type RenderedPages = {
  readonly entry: string;
  readonly desktop: string;
  readonly mobile: string;
  readonly svcops: string;
};

/**
 * @param publicOrigin `https://preview.example.com`, because link previews need whole addresses
 * @param ownStyles whether there is `public/site.css`
 */
export function renderPages(
  content: Content,
  publicOrigin: string,
  ownStyles: boolean,
): RenderedPages {
  const { lang, dir = directionOf(lang), words: own, entry, links, theme, title } = content;
  const ours = wordsIn(lang);
  // Not all of the content: most of it is for guests alone.
  const shared = {
    lang,
    dir,
    links,
    logo: theme?.logo,
    favicon: theme?.favicon ?? '/favicon.svg',
    ownStyles,
  };
  const card = publicOrigin + (theme?.card ?? '/card.png');
  const timeline = {
    ...content,
    ...shared,
    ...sentencesOf(ours.timeline, own?.timeline),
    titleLength: lengthOf(title),
    years: yearsOf(content),
  };
  return {
    entry: render('everyone/entry.html', {
      ...shared,
      ...sentencesOf(ours.entry, own?.entry),
      ...entry,
      publicOrigin,
      card,
    }),
    desktop: render('invitees/timeline.html', { ...timeline, layout: 'desktop' }),
    mobile: render('invitees/timeline.html', { ...timeline, layout: 'mobile' }),
    svcops: render('svcops/page.html', { title }),
  };
}

const RIGHT_TO_LEFT = ['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa'];

/** By the script that a language is usually written in. */
function directionOf(lang: string): 'ltr' | 'rtl' {
  const { script = '' } = new Intl.Locale(lang).maximize();
  return RIGHT_TO_LEFT.includes(script) ? 'rtl' : 'ltr';
}

/** The size class of a title, by its longest word. */
function lengthOf(title: string): string {
  const longest = Math.max(...title.split(/[\s-]+/).map((word) => word.length));
  if (longest <= 6) return 'short';
  if (longest <= 8) return 'medium';
  return longest <= 11 ? 'long' : 'longest';
}

/** The sentences of a page, for its template and for its script. */
function sentencesOf(ours: Sentences, own: Partial<Sentences> = {}): Values {
  const words: Record<string, string> = {};
  for (const [name, sentence] of Object.entries(ours)) words[name] = own[name] ?? sentence;
  return { ...words, scriptWords: JSON.stringify(words) };
}

/** The entries by year, each in the order of the file. */
function yearsOf({ lang, timeline }: Content): readonly Values[] {
  const locale = lang === 'en' ? 'en-GB' : lang;
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const year = new Intl.DateTimeFormat(locale, { year: 'numeric', timeZone: 'UTC' });
  const years = new Map<string, Values[]>();
  for (const [index, entry] of timeline.entries()) {
    const date = new Date(entry.date);
    const name = year.format(date);
    const entries = years.get(name) ?? [];
    entries.push({
      ...entry,
      id: `entry-${index + 1}`,
      side: index % 2 === 0 ? 'start' : 'end',
      day: day.format(date),
    });
    years.set(name, entries);
  }
  return Array.from(years, ([year, entries], i) => ({ year, yearId: `year-${i + 1}`, entries }));
}

function render(template: string, values: Values): string {
  return fillTemplate(fs.readFileSync(path.join(root, 'pages', template), 'utf8'), values);
}
