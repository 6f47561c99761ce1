/** The administrator page: it names its reader and the administrators, and nobody else gets it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addInvite } from '../support/rows.ts';
import { startService } from '../support/service.ts';

const { beginSession, send, store } = await startService();
const cookie = await beginSession('administrator');

/** The attributes and the text that name the reader. */
const YOU =
  /<p id="you" data-email="([^"]*)" data-names="([^"]*)"><span class="name" title="[^"]*">([^<]*)</;

const decoded = (html: string): string =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#123;', '{');

async function readers() {
  const { status, text } = await send('GET /svcops', { cookie });
  assert.equal(status, 200);
  const [, email = '', names = '', name = ''] = YOU.exec(text) ?? [];
  return { email, names: JSON.parse(decoded(names)), name, text };
}

it('an administrator without a first name is named by the address', async () => {
  const { email, names, name } = await readers();
  assert.match(email, /@/);
  assert.equal(names[email], undefined);
  assert.equal(name, email);
});

it('first names of administrators are text, and those of guests are absent', async () => {
  const { email } = await readers();
  await store.write((writer) => {
    writer.invites.setFirstName(email, '</p><b>"{{title}}"');
    addInvite(writer, 'second@example.com', { firstName: 'Second' });
    writer.invites.setAdmin('second@example.com', true);
    addInvite(writer, 'guest@example.com', { firstName: 'Guest of Honour' });
  });
  const { names, name, text } = await readers();
  assert.equal(name, '&lt;/p&gt;&lt;b&gt;&quot;&#123;&#123;title}}&quot;');
  assert.equal(names['second@example.com'], 'Second');
  assert.doesNotMatch(text, /Guest of Honour/);
});
