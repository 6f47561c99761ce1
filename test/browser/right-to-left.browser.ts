/** A site in Arabic, from right to left. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findViolations } from '../support/accessibility.ts';
import { overflow } from './page.ts';
import { ADA, openSite } from './site.ts';

const arabic = await openSite(arabicContent);

for (const [url, width] of [
  ['/', 320],
  ['/', 1440],
  ['/timeline?view=desktop', 1440],
  ['/timeline?view=desktop', 320],
  ['/timeline?view=mobile', 390],
] as const)
  test(`in Arabic ${url} reads from right to left, ${width} px wide`, async () => {
    const visitor = url === '/' ? await arabic.visit() : await arabic.visitAs(ADA);
    const { page, troubles } = visitor;
    await page.setViewportSize({ width, height: 900 });
    await page.goto(url);
    await page.getByRole('heading').first().waitFor();
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await findViolations(page), []);
    const right = await page.evaluate<number>(`(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector('h1'));
      return innerWidth - range.getBoundingClientRect().right;
    })()`);
    assert.ok(right < width / 3, `the heading begins ${right} px from the right`);
    assert.deepEqual(troubles, []);
  });

test('in Arabic the rail is on the right, and the left arrow key moves on', async () => {
  const { page } = await arabic.visitAs(ADA, { viewport: { width: 1440, height: 900 } });
  await page.goto('/timeline?view=desktop');
  const [rail, entries] = [page.locator('.rail'), page.locator('.entries')];
  const [railBox, entriesBox] = [await rail.boundingBox(), await entries.boundingBox()];
  assert.ok(railBox && entriesBox && railBox.x > entriesBox.x + entriesBox.width / 2);
  for (const [key, id] of [
    ['ArrowLeft', 'entry-1'],
    ['ArrowLeft', 'entry-2'],
    ['ArrowRight', 'entry-1'],
  ] as const) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate('document.activeElement.id'), id);
  }
});

function arabicContent(root: string) {
  const sample = path.join(root, 'pages/sample/content.json');
  const { timeline } = JSON.parse(fs.readFileSync(sample, 'utf8'));
  const image = (i: number) => ({ src: timeline[i].image.src, alt: '' });
  return {
    language: 'ar',
    words: {
      addressLabel: 'عنوان بريدك الإلكتروني',
      enter: 'دخول',
      viewMobile: 'عرض الهاتف',
      viewDesktop: 'العرض الواسع',
      logOut: 'تسجيل الخروج',
      dates: 'التواريخ',
      leftKey: 'يسار',
      rightKey: 'يمين',
      keysMove: 'للتنقل',
    },
    entry: {
      title: 'معاينة خاصة',
      sentence: 'هذه المعاينة بدعوة فقط.',
      description: 'ادخل بالعنوان المدعو.',
    },
    title: 'هالدن',
    tagline: 'مصباح مكتب يتبع ساعات الشمس.',
    timeline: [
      {
        date: '2025-01-21',
        headline: 'الرابعة عصرًا',
        text: 'بدأ الأمر بجدال حول نافذة. في الرابعة من عصر يوم شتوي كان الضوء على جدار واحد.',
        image: image(0),
      },
      {
        date: '2025-03-04',
        headline: 'دفتر السماوات',
        text: 'أربعين يومًا نظر مستشعر على السطح إلى الأعلى كل عشر دقائق.',
        image: image(1),
      },
      { date: '2026-06-21', headline: 'الغسق الخاطئ', text: 'الساعة ليست سماء.' },
    ],
    join: { headline: 'هل نبقي لك واحدًا؟', text: 'قل نعم، وينتظرك واحد.', button: 'احجز لي' },
  };
}
