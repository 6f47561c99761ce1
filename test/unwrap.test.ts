/** What is taken off around an address, and what is not. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressInFragment, unwrapAddress } from '../lib/addresses/unwrap.ts';

const ADA = 'ada@example.com';

/** Texts from which the address of Ada is taken. */
const AROUND: Readonly<Record<string, readonly string[]>> = {
  'a prefix': [`mailto:${ADA}`, `E-mail: ${ADA}`, `email:${ADA}`, `MAILTO:${ADA}?subject=Hi`],
  brackets: [`<${ADA}>`, `(${ADA})`, `[${ADA}]`, `‹${ADA}›`, `<<${ADA}>>`, `<mailto:${ADA}>`],
  'one bracket': [`<${ADA}`, `${ADA}>`],
  quotes: [`"${ADA}"`, `'${ADA}'`, `“${ADA}”`, `„${ADA}“`, `«${ADA}»`, `‚${ADA}‘`, `「${ADA}」`],
  'a name before': [`Ada Lovelace <${ADA}>`, `Ada ‹${ADA}›`, `Ada (${ADA})`, `Ada "${ADA}"`],
  'the same address before': [`${ADA} <${ADA}>`, `[${ADA}](mailto:${ADA})`],
  'a list mark': [`- ${ADA}`, `* ${ADA}`, `• ${ADA}`, `1. ${ADA}`, `12) ${ADA}`],
  'punctuation behind': [`${ADA}.`, `${ADA};`, `${ADA}!?`, `<${ADA}>,`, `${ADA}。`],
  'a query or fragment': [
    `${ADA}?utm_source=x&utm_medium=email`,
    `${ADA}?email=${ADA}`,
    `${ADA}/`,
    `${ADA}/?email=${ADA}`,
    `${ADA}/#top`,
    `${ADA}#top`,
    `${ADA}|`,
    `${ADA}\\`,
    `${ADA}&fbclid=x`,
  ],
  'a link': [
    `https://preview.example.com/#${ADA}`,
    `preview.example.com/#${ADA}?utm_source=x`,
    `http://localhost:3000/?view=mobile#${ADA}`,
    'https://preview.example.com/#ada%40example.com',
    `https://preview.example.com/#/${ADA}`,
    `https://preview.example.com/?email=${ADA}#${ADA}`,
    `https://preview.example.com/%23${ADA}`,
    // Mail programs and search engines put their own link around it.
    `https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fpreview.example.com%2F%23${ADA}&data=05%7C02%7C${ADA}%7Cx&reserved=0`,
    `https://www.google.com/url?q=https%3A%2F%2Fpreview.example.com%2F%23ada%40example.com&source=gmail`,
  ],
  'the fragment of a link': [
    `#${ADA}`,
    `#${ADA}?utm_source=x`,
    `#/${ADA}`,
    '#ada%40example.com',
    `“#${ADA}”`,
  ],
  'full width': [
    'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ',
    '＜ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ＞',
    'ada＠example.com',
  ],
  encoding: ['ada%40example.com', 'ada%2540example.com'],
};

describe('an address is taken out of', () => {
  for (const [what, texts] of Object.entries(AROUND))
    it(what, () => {
      for (const text of texts) assert.equal(unwrapAddress(text).address, ADA, text);
    });
});

it('these texts stay as they are', () => {
  for (const text of [
    `please invite ${ADA}`,
    `to: ${ADA}`,
    `=${ADA}`,
    `!${ADA}`,
    `-${ADA}`,
    `/${ADA}`,
    `1.${ADA}`,
    `a/b?c#d|e@example.com`,
    `a%23${ADA}`,
    `'${ADA}`,
    "o'connor@example.com",
    'bo@example.com, ada@example.com',
    'bo@example.com|ada@example.com',
    'bo@example.com <ada@example.com>',
    'eva@例え。テスト',
    `# ${ADA}`,
    '#top',
    'Ada',
    '@ada',
    '',
  ])
    assert.equal(unwrapAddress(text).address, text);
});

it('the name before the brackets is kept', () => {
  assert.equal(unwrapAddress(`Ada Lovelace <${ADA}>`).name, 'Ada Lovelace');
  assert.equal(unwrapAddress(`"Lovelace, Ada" <${ADA}?subject=x>`).name, '"Lovelace, Ada"');
  assert.equal(unwrapAddress(`${ADA} <${ADA}>`).name, '');
});

it('signs before the address in a fragment are removed, unless encoded', () => {
  for (const [fragment, address] of [
    [ADA, ADA],
    [`/${ADA}`, ADA],
    [`!/${ADA}`, ADA],
    [`${ADA}#top`, ADA],
    [`${ADA}|`, ADA],
    [`${ADA}\\`, ADA],
    ['%2Fada@example.com', `/${ADA}`],
    [`https://preview.example.com/#${ADA}`, ADA],
    [`=${ADA}`, ADA],
    ['%21ada@example.com', `!${ADA}`],
    ['%3Dada@example.com', `=${ADA}`],
    [`${ADA}?utm_source=x&utm_medium=email`, ADA],
    [`${ADA}&fbclid=x`, ADA],
    ['ada%2540example.com', ADA],
    ['bo%2Bx@example.com', 'bo+x@example.com'],
    ['bo+x@example.com', 'bo+x@example.com'],
    ['100%2540@example.com', '100%40@example.com'],
    ['Ada%20%3Cada@example.com%3E', ADA],
    ['top', 'top'],
  ] as const)
    assert.equal(addressInFragment(fragment), address, fragment);
});

it('hostile texts are read in a moment', () => {
  const kinds = ['<a@b.c', '(', '.', '%40', "'", '@', '#/', 'a@b.c <', 'https://a/#', '「a@b.c」'];
  for (const kind of kinds) {
    const start = process.cpuUsage().user;
    for (const length of [1900, 100_000]) unwrapAddress(kind.repeat(length / kind.length));
    assert.ok(process.cpuUsage().user - start < 500_000, kind);
  }
});

it('letters beside an invalid code stay unchanged', () => {
  for (const [text, address] of [
    ['https://example.com/#zoë%40example.com?utm=100%', 'zoë@example.com'],
    ['#zo%C3%AB%40example.com', 'zoë@example.com'],
    ['#100%25%40example.com', '100%@example.com'],
    ['#ada%FF%40example.com', 'ada\uFFFD@example.com'],
  ] as const)
    assert.equal(unwrapAddress(text).address, address, text);
});
