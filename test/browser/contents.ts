/** Sites of owners, to put into an installation in place of the sample. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/config.ts';

const folderOf = (installed: string) => path.join(installed, 'pages', 'sample');
const read = (installed: string, name: string) =>
  JSON.parse(fs.readFileSync(path.join(folderOf(installed), name), 'utf8'));

export const sample = (installed: string) => read(installed, 'content.json');

/** The site of a German maker of e-bikes, made with docs/content.md alone, and a typeface. */
export function talwind(installed: string) {
  const folder = folderOf(installed);
  fs.cpSync(path.join(root, 'test', 'site', 'talwind'), folder, { recursive: true });
  const typeface = 'brand.woff2';
  const newsreader = path.join(installed, 'pages/everyone/fonts/newsreader.woff2');
  fs.copyFileSync(newsreader, path.join(folder, 'public', typeface));
  const content = sample(installed);
  const { words } = read(installed, 'words-de.json');
  return { ...content, words, theme: { ...content.theme, typeface } };
}

/** 63 letters. */
export const WORD = 'Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz';

const TEXT = `Before ${WORD} after.\n\nA second paragraph,\non two lines.`;

/** One entry, with a portrait picture, and long words everywhere. */
export function longWords(installed: string) {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 1600"/>';
  fs.writeFileSync(path.join(folderOf(installed), 'images/portrait.svg'), svg);
  const image = { src: 'portrait.svg', alt: WORD };
  return {
    entry: { title: WORD, sentence: `This ${WORD} is by invitation.`, description: WORD },
    title: WORD,
    tagline: `A lamp, ${WORD}`,
    timeline: [{ date: '2025-01-21', headline: WORD, text: TEXT, image }],
    join: { headline: WORD, text: TEXT, button: WORD },
  };
}

/** From right to left. */
export function arabic(installed: string) {
  const [first, ...more] = sample(installed).timeline;
  const headline = 'الرابعة عصرًا';
  const text = 'بدأ الأمر بجدال حول نافذة. في الرابعة من عصر يوم شتوي كان الضوء على جدار واحد.';
  return {
    language: 'ar',
    words: {
      addressLabel: 'عنوان بريدك الإلكتروني',
      enter: 'دخول',
      logOut: 'تسجيل الخروج',
      dates: 'التواريخ',
      toBrowse: 'للتنقل',
      toTheEnd: 'إلى النهاية',
    },
    entry: {
      title: 'معاينة خاصة',
      sentence: 'هذه المعاينة بدعوة فقط.',
      description: 'ادخل بالعنوان المدعو.',
    },
    title: 'هالدن',
    tagline: 'مصباح مكتب يتبع ساعات الشمس.',
    timeline: [{ ...first, headline, text }, ...more.slice(0, 2)],
    join: { headline: 'هل نبقي لك واحدًا؟', text: 'قل نعم، وينتظرك واحد.', button: 'احجز لي' },
  };
}

const HEBREW = 'ארבע אחר הצהריים';

/**
 * The sample with a headline, a paragraph and a sentence in Hebrew, and a headline of both
 * directions.
 */
export function withHebrew(installed: string) {
  const content = sample(installed);
  const [first, second] = content.timeline;
  Object.assign(first, { headline: `${HEBREW}.`, text: `${HEBREW}.\n\nHalden: ${HEBREW}.` });
  Object.assign(second, { headline: `Halden ${HEBREW}` });
  Object.assign(content.join, { headline: `${HEBREW}?` });
  return { ...content, entry: { ...content.entry, sentence: `${HEBREW}.` } };
}

/**
 * The Arabic site with a headline, a paragraph and a sentence in English, and a headline of digits.
 */
export function withEnglish(installed: string) {
  const content = arabic(installed);
  const [first, second] = content.timeline;
  Object.assign(first, { headline: 'Four o’clock.', text: 'It began at 4.\n\nهالدن at 4.' });
  Object.assign(second, { headline: '2025' });
  Object.assign(content.join, { headline: 'Shall we?' });
  return { ...content, entry: { ...content.entry, sentence: 'By invitation only.' } };
}
