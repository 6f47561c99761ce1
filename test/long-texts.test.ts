/**
 * Texts from outside that are as long as possible: no expression needs time with the square of
 * their length.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { normalizeEmail, normalizeFirstName, suggestDomain } from '../lib/addresses/address.ts';
import { foldText, normalizeInvitedEmail } from '../lib/addresses/normalize.ts';
import { readList } from '../lib/extras/bulk/read-list.ts'; // extra: bulk
import { fillIn } from '../lib/extras/letters/letters.ts'; // extra: letters
import { clientAddress } from '../lib/http/limiter.ts';
import { describeDevice } from '../lib/routes/device.ts';
import { parseJson } from '../lib/site/json.ts';
import { readParagraphs } from '../lib/site/paragraphs.ts';

const LENGTH = 100_000;

/** The time limit, in ms. A time with the square of the length would be far longer. */
const LONGEST = 1000;

const nothing = { firstName: '', title: '', address: '', email: '' }; // extra: letters
const files = {
  public: new Map(),
  gated: new Map(),
  faults: new Map(),
  warnings: new Set<string>(),
};

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'an address': normalizeEmail,
  'an address to invite': normalizeInvitedEmail,
  'a first name': normalizeFirstName,
  'text to search': foldText,
  'a domain': suggestDomain,
  // extra: bulk
  'a list': readList,
  'a cell beside an address': (text) => readList(`ada@example.com,${text}`),
  'a heading': (text) => readList(`Email,${text}\nada@example.com,Ada`),
  'a first name below its heading': (text) => readList(`Email;First name\nada@example.com;${text}`),
  'a name before an address': (text) => readList(`${text} <ada@example.com>`),
  // end: bulk
  'a letter of the site': (text) => fillIn(text, nothing), // extra: letters
  'a text of the site': (text) => readParagraphs(text, 'text', files),
  'content.json': (text) => parseJson(Buffer.from(`{"title": "${text}`)),
  // node:http refuses longer headers.
  'a User-Agent': (text) => describeDevice(text.slice(0, 16_000)),
  'an X-Forwarded-For': (text) =>
    clientAddress({ peer: '127.0.0.1', headers: { 'x-forwarded-for': text.slice(0, 16_000) } }),
};

/** The repeated text: letters, marks, separators, and beginnings of things that have an end. */
const UNITS = ['a', '山', '.', ' ', '@', '"', ',', '“', '\u200b', ' b', 'i\u0307', '\u0301\u0316'];
const BEGINNINGS = ['""', '",', '"a" <', '{firstName', '[a](', '\n "'];

for (const [what, read] of Object.entries(READERS))
  it(`${what} of any one kind of characters is handled at once`, () => {
    for (const unit of [...UNITS, ...BEGINNINGS]) {
      const run = unit.repeat(LENGTH / unit.length);
      for (const text of [run, `x${run}x`, `a@${run}`, `${run}@b.example`])
        assertQuick(`${JSON.stringify(unit)} of ${text.length}`, () => read(text));
    }
  });

// extra: bulk
it('a name of very many words is read at once', () => {
  const name = `Ada${' b'.repeat(30)},`;
  assertQuick(name, () => readList(`Email\tName\nada@example.com\t${name}`));
});
// end: bulk

function assertQuick(what: string, read: () => unknown): void {
  const begin = performance.now();
  try {
    read();
  } catch (error) {
    // A mistake in the site is an answer too.
    assert.ok(error instanceof Error && error.name !== 'RangeError', String(error));
  }
  const ms = performance.now() - begin;
  assert.ok(ms < LONGEST, `${what} took ${ms.toFixed()} ms`);
}
