/** How much of a file a request gets, by its headers alone. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'node:test';
import { select } from '../../lib/http/ranges.ts';

const ETAG = '"a"';
const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
const EARLIER = 'Sun, 06 Nov 1994 08:49:36 GMT';
const LATER = 'Sun, 06 Nov 1994 08:49:38 GMT';

/** The status, and the bytes, both ends included. */
function selected(headers: IncomingHttpHeaders, size = 100, method = 'GET'): string {
  const selection = select({ method, headers }, { size, etag: ETAG, lastModified: DATE });
  return 'first' in selection
    ? `${selection.status} ${selection.first}-${selection.last}`
    : String(selection.status);
}

const RANGES: Readonly<Record<string, string>> = {
  '206 0-0': 'bytes=0-0',
  '206 0-1': 'bytes=0-1',
  '206 10-19': 'bytes=10-19',
  '206 1-2': 'Bytes=1-2 bytes=001-002',
  '206 0-99': 'bytes=0- bytes=0-99 bytes=-100 bytes=-101',
  '206 90-99': 'bytes=90-100 bytes=90-99999999999999999999999999999999',
  '206 99-99': 'bytes=99- bytes=-1',
  416: `bytes=100- bytes=100-100 bytes=-0 bytes=${'9'.repeat(400)}-`,
  // Several ranges, other units, and what is no range.
  '200 0-99': `bytes=0-1,3-4 bytes=0-1, bytes=${'0-0,'.repeat(3000)}1-1 bytes=5-4 bytes=- bytes= bytes=a-b
    bytes=1 bytes=--1 bytes=1-2-3 bytes=+1-2 bytes=0x1-2 bytes=1e1- items=0-1`,
};

describe('a Range of 100 bytes', () => {
  for (const [expected, ranges] of Object.entries(RANGES))
    for (const range of ranges.split(/\s+/))
      it(`${range.slice(0, 50)}: ${expected}`, () => assert.equal(selected({ range }), expected));

  for (const range of ['', 'bytes 0-1'])
    it(`"${range}" is none`, () => assert.equal(selected({ range }), '200 0-99'));

  it('of HEAD is ignored', () =>
    assert.equal(selected({ range: 'bytes=0-1' }, 100, 'HEAD'), '200 0-99'));

  it('of an empty file: nothing has a first byte, and the end is the whole', () => {
    assert.equal(selected({}, 0), '200 0--1');
    assert.equal(selected({ range: 'bytes=0-' }, 0), '416');
    assert.equal(selected({ range: 'bytes=-5' }, 0), '200 0--1');
    assert.equal(selected({ range: 'bytes=-0' }, 0), '416');
  });
});

const CONDITIONS: readonly (readonly [IncomingHttpHeaders, string])[] = [
  [{ 'if-range': ETAG }, '206 0-1'],
  [{ 'if-range': DATE }, '206 0-1'],
  [{ 'if-range': `W/${ETAG}` }, '200 0-99'],
  [{ 'if-range': '"b"' }, '200 0-99'],
  [{ 'if-range': EARLIER }, '200 0-99'],
  [{ 'if-range': LATER }, '200 0-99'],
  [{ 'if-range': '*' }, '200 0-99'],
  [{ 'if-range': '' }, '200 0-99'],

  [{ 'if-none-match': ETAG }, '304'],
  [{ 'if-none-match': `"b", W/${ETAG}` }, '304'],
  [{ 'if-none-match': '*' }, '304'],
  [{ 'if-none-match': '"b"' }, '206 0-1'],
  [{ 'if-modified-since': DATE }, '304'],
  [{ 'if-modified-since': LATER }, '304'],
  [{ 'if-modified-since': EARLIER }, '206 0-1'],
  [{ 'if-modified-since': 'yesterday' }, '206 0-1'],
  [{ 'if-none-match': '"b"', 'if-modified-since': DATE }, '206 0-1'],
  [{ 'if-none-match': ETAG, 'if-modified-since': EARLIER }, '304'],
  [{ 'if-none-match': ETAG, 'if-range': '"b"' }, '304'],

  [{ 'if-match': ETAG }, '206 0-1'],
  [{ 'if-match': `"b", ${ETAG}` }, '206 0-1'],
  [{ 'if-match': '*' }, '206 0-1'],
  [{ 'if-match': '"b"' }, '412'],
  [{ 'if-match': `W/${ETAG}` }, '412'],
  [{ 'if-unmodified-since': DATE }, '206 0-1'],
  [{ 'if-unmodified-since': EARLIER }, '412'],
  [{ 'if-unmodified-since': 'yesterday' }, '206 0-1'],
  [{ 'if-match': ETAG, 'if-unmodified-since': EARLIER }, '206 0-1'],
  [{ 'if-match': '"b"', 'if-none-match': ETAG }, '412'],
];

describe('a Range and', () => {
  for (const [headers, expected] of CONDITIONS)
    it(`${JSON.stringify(headers)}: ${expected}`, () =>
      assert.equal(selected({ range: 'bytes=0-1', ...headers }), expected));
});

it('If-Range without a Range is ignored', () =>
  assert.equal(selected({ 'if-range': '"b"' }), '200 0-99'));
