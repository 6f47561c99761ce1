/** The template language of the pages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { render } from '../../lib/site/template.ts';

test('text is inserted and escaped', () => {
  assert.equal(
    render('<p title="{{text}}">{{text}}</p>', { text: `<b>"Tom" & 'Jerry'</b>` }),
    '<p title="&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;">' +
      '&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;</p>',
  );
});

test('text that looks like a template stays text', () => {
  const view = { items: [{ text: '{{secret}}' }], secret: 'seen' };
  assert.equal(render('{{#items}}{{text}}{{/items}}', view), '&#123;&#123;secret}}');
});

test('a section is repeated for each item, whose names hide those outside', () => {
  const view = { name: 'outside', sign: '!', items: [{ name: 'a' }, { name: 'b' }, {}] };
  assert.equal(render('{{#items}}{{name}}{{sign}} {{/items}}', view), 'a! b! outside! ');
});

test('sections can be nested', () => {
  const view = { years: [{ year: '2025', days: [{ day: '1' }, { day: '2' }] }] };
  assert.equal(
    render('{{#years}}{{year}}:{{#days}} {{day}}{{/days}}{{/years}}', view),
    '2025: 1 2',
  );
});

test('undefined shows nothing, as a section too', () => {
  assert.equal(render('a{{b}}{{#b}}c{{/b}}d', { b: undefined }), 'ad');
});

test('a name that the view lacks is an error of the template', () => {
  assert.throws(() => render('{{nmae}}', { name: 'Ada' }), /names \{\{nmae\}\}, which is unknown/);
  assert.throws(() => render('{{#itmes}}{{/itmes}}', {}), /names \{\{itmes\}\}/);
  assert.throws(() => render('{{items}}', { items: [] }), /shows \{\{items\}\}, which is a list/);
});
