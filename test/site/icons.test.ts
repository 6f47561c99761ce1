/** The icons that browsers ask for at the root of a site, and what fields do with what is typed. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import type { SiteFiles } from '../../lib/site/field-readers.ts';
import { iconsOf } from '../../lib/site/theme.ts';

const files = (...names: string[]): SiteFiles => ({
  public: new Map(names.map((name) => [`/public/${name}`, `/site/public/${name}`])),
  gated: new Map(),
  faults: new Map(),
  warnings: new Set(),
});
const favicon = { name: 'public/a.png', url: '/public/a.png', path: '/site/public/a.png' };

for (const [what, icons, expected] of [
  ['ours without one of the owner’s', iconsOf(files('logo.svg')), {}],
  [
    'the icon of the theme',
    iconsOf(files('a.png'), { favicon }),
    { '/favicon.ico': favicon.path, '/apple-touch-icon.png': favicon.path },
  ],
  [
    'the file of the same name in public/',
    iconsOf(files('a.png', 'favicon.ico', 'apple-touch-icon.png'), { favicon }),
    {
      '/favicon.ico': '/site/public/favicon.ico',
      '/apple-touch-icon.png': '/site/public/apple-touch-icon.png',
    },
  ],
] as const)
  it(`the icons at the root are ${what}`, () => {
    assert.deepEqual(Object.fromEntries(icons), expected);
  });

const templates = fs
  .readdirSync(path.join(root, 'pages'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'));

it('no field for an address or a name corrects what is typed', () => {
  let fields = 0;
  for (const name of templates) {
    const html = fs.readFileSync(path.join(root, 'pages', name), 'utf8');
    for (const [field] of html.matchAll(/<(?:input|textarea)\b[^>]*>/g)) {
      if (/ readonly| type="(?:date|file|checkbox)"/.test(field)) continue;
      fields += 1;
      assert.match(field, / autocorrect="off"/, name);
    }
  }
  let least = 4;
  least += 1; // extra: bulk
  assert.ok(fields >= least);
});
