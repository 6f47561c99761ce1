/**
 * Reads the unused space of a SQLite file: free pages, and the gaps between rows in other pages.
 * SQLite leaves copies of moved rows there; a program without secure_delete leaves deleted rows.
 * The layout: https://www.sqlite.org/fileformat.html
 */
import fs from 'node:fs';

/** Types of b-tree pages; the upper two are leaves, whose header is shorter. */
const TREE_PAGES: readonly (number | undefined)[] = [2, 5, 10, 13];
const FIRST_LEAF = 10;

/** The header of the file, which begins its first page. */
const FILE_HEADER = 100;

/**
 * Whether the unused space of a store holds an address. No connection may be open in this process.
 *
 * @param others longer addresses that contain it; copies of those may stay
 */
export function unusedSpaceHolds(
  store: string,
  address: string,
  others: readonly string[],
): boolean {
  const [text = '', ...rest] = [address, ...others].map((each) =>
    Buffer.from(each).toString('latin1'),
  );
  const isIn = (bytes: Buffer): boolean =>
    rest
      .reduce((left, other) => left.replaceAll(other, '\0'), bytes.toString('latin1'))
      .includes(text);
  const file = fs.openSync(store, 'r');
  try {
    const start = Buffer.alloc(FILE_HEADER);
    fs.readSync(file, start, 0, FILE_HEADER, 0);
    const size = start.readUInt16BE(16) === 1 ? 65_536 : start.readUInt16BE(16);
    const page = Buffer.alloc(size);
    const read = (number: number) => fs.readSync(file, page, 0, size, (number - 1) * size) === size;
    const free = new Set<number>();
    for (let trunk = start.readUInt32BE(32); trunk !== 0 && !free.has(trunk) && read(trunk); ) {
      free.add(trunk);
      const leaves = page.subarray(8, 8 + 4 * page.readUInt32BE(4));
      for (let i = 0; i + 4 <= leaves.length; i += 4) free.add(leaves.readUInt32BE(i));
      trunk = page.readUInt32BE(0);
    }
    for (let number = 1; read(number); number += 1) {
      if (!page.includes(address)) continue;
      const unused = free.has(number) ? [page] : gapsOf(page, number === 1 ? FILE_HEADER : 0);
      for (const bytes of unused) if (isIn(bytes)) return true;
    }
    return false;
  } finally {
    fs.closeSync(file);
  }
}

/** The gaps of a page: between the cell pointers and the first cell, and its free blocks. */
function* gapsOf(page: Buffer, header: number): Generator<Buffer> {
  const type = page[header] ?? 0;
  if (!TREE_PAGES.includes(type)) return;
  const list = header + (type < FIRST_LEAF ? 12 : 8);
  const rows = page.readUInt16BE(header + 5) || page.length;
  yield page.subarray(list + 2 * page.readUInt16BE(header + 3), rows);
  let block = page.readUInt16BE(header + 1);
  while (block > 0 && block + 4 <= page.length) {
    yield page.subarray(block + 4, block + page.readUInt16BE(block + 2));
    const next = page.readUInt16BE(block);
    if (next <= block) return;
    block = next;
  }
}
