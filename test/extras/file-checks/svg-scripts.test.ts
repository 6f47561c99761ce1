/** Finds what may run a script in an SVG, and ignores the rest. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../../lib/config.ts';
import { examineFiles } from '../../../lib/extras/file-checks/examine-files.ts';
import { findScripts } from '../../../lib/extras/file-checks/svg-scripts.ts';
import { decodeSvg } from '../../../lib/site/image-size.ts';
import { loadSite, SAMPLE_SITE } from '../../../lib/site/site.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const FOUND: readonly (readonly [svg: string, found: string])[] = [
  ['<script>alert(1)</script>', '<script>'],
  ['<script href="/public/motion.js"/>', '<script>'],
  ['<svg:script\nxlink:href="a.js"/>', '<script>'],
  ['<été:script/>', '<script>'],
  ['<SCRIPT >', '<SCRIPT>'],
  ['<svg onload="alert(1)"/>', 'onload'],
  ["<g\nonclick\n=\n'alert(1)'/>", 'onclick'],
  ['<a title=">" onfocusin="alert(1)"/>', 'onfocusin'],
  ['<animate onbegin="alert(1)"/>', 'onbegin'],
  ['<a href="javascript:alert(1)"/>', 'javascript:'],
  ['<a xlink:href=" JavaScript:alert(1)"/>', 'javascript:'],
  ['<a href="java&#x0a;script&#58;alert(1)"/>', 'javascript:'],
  ['<a href="&#106;avascript:alert(1)"/>', 'javascript:'],
  ['<animate attributeName="href" values="#a;javascript:alert(1)"/>', 'javascript:'],
  ['<foreignObject><p/></foreignObject>', '<foreignObject>'],
  ['<h:iframe srcdoc="&lt;script>"/>', '<iframe>'],
  ['<h:object data="a.html"/>', '<object>'],
  ['<h:embed src="a.html"/>', '<embed>'],
  ['<!DOCTYPE svg [<!ENTITY a "<g/>">]>', '<!ENTITY>'],
  ['<!DOCTYPE svg [<!ENTITY a "java"><!ENTITY b "script:">]>', '<!ENTITY>'],
  ['<!DOCTYPE svg [<!ENTITY % a SYSTEM "a">]>', '<!ENTITY>'],
  ['<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>', '<!ATTLIST>'],
  ['<?xml-stylesheet type="text/xsl" href="#a"?>', '<?xml-stylesheet?>'],
];
for (const [svg, found] of FOUND)
  test(`this may run a script in any encoding of Unicode: ${svg}`, () => {
    for (const encoding of ['utf8', 'utf16le'] as const)
      assert.deepEqual(findScripts(decodeSvg(Buffer.from(svg, encoding))), [found]);
    const swapped = Buffer.from(svg, 'utf16le').swap16();
    assert.deepEqual(findScripts(decodeSvg(swapped)), [found]);
  });

for (const svg of [
  '<svg viewBox="0 0 9 9"><style>g { color: red }</style><g id="on" font-size="1"/></svg>',
  '<text>one = 1, on = 2, JavaScript: a guide, scripts &lt;script></text>',
  '<scripts/><objects/><g class="button" data-on="1"/>',
  '<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>',
  '<?xml version="1.0"?><?xml-stylesheet type="text/css" href="a.css"?>',
])
  test(`this is no script: ${svg}`, () => {
    assert.deepEqual(findScripts(svg), []);
  });

test('a search in 1 MB takes at most seconds', () => {
  const begin = performance.now();
  for (const part of ['<', '<a:', ' on', ' ona ', '" ', '";', '<!ENTITY "', '<?xml-stylesheet '])
    findScripts(part.repeat(1e6 / part.length));
  assert.ok(performance.now() - begin < 10_000);
});

test('the pictures of the project have no script', () => {
  const images = path.join(SAMPLE_SITE, 'images');
  for (const name of fs.readdirSync(images).filter((each) => each.endsWith('.svg')))
    assert.deepEqual(findScripts(fs.readFileSync(path.join(images, name), 'utf8')), [], name);
});

test('an SVG with a script is named in every folder', () => {
  const own = temporaryFolder();
  fs.cpSync(path.join(root, 'pages', 'sample'), own, { recursive: true });
  for (const name of ['public/a.svg', 'images/in/b.SVG', 'media/c.svg', 'media/d.txt']) {
    fs.mkdirSync(path.dirname(path.join(own, name)), { recursive: true });
    fs.writeFileSync(path.join(own, name), '<svg onload="alert(1)"><script/></svg>');
  }
  const { warnings } = loadSite(own, '', 'start', examineFiles);
  assert.deepEqual(
    warnings.filter((each) => each.includes('script')),
    ['public/a.svg', 'images/in/b.SVG', 'media/c.svg'].map(
      (name) =>
        `${path.join(own, name)} has <script>, onload, which may run a script; ` +
        'browsers are told not to run it; save the picture without it',
    ),
  );
});
