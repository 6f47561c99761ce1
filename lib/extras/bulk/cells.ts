/** Tells what is in a cell of a list: one address, several, or none. */
import { addressesIn, type Unwrapped, unwrapAddress } from '../../addresses/unwrap.ts';

/** `ada@example.com`, with nothing around it, but not `@ada` and not `Ada;ada@example.com`. */
const ADDRESS = /^[^\s@<>()[\]",;:\\|]+@[^\s@<>()[\]",;:\\|/]+\.[^\s@<>()[\]",;:\\|/]+$/;

/**
 * An apostrophe that stops a spreadsheet from reading the cell as a formula: `'+ada@example.com`.
 */
const FORMULA_GUARD = /^'(?=[=+\-@\t\r])/;

/** Removes this apostrophe. Our own exports have it too. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") ? cell.replace(FORMULA_GUARD, '') : cell;

/** Whether a cell may have an address. A handle, `@ada`, is not one. */
export const mayHaveAddress = (cell: string): boolean => /[^\s@＠][@＠]/.test(cell);

/** Shorter cells are no address: `a@b.c` is the shortest. */
const MIN_LENGTH = 5;

/** Longer cells are not one address. */
const MAX_LENGTH = 2000;

/**
 * Whether a text is an address. The length is tested first: the expression is slow for long texts.
 */
const isAddress = (text: string): boolean => text.length <= MAX_LENGTH && ADDRESS.test(text);

/** The first of several values of one person. Google separates them by ` ::: `. */
function firstValue(cell: string): string {
  const end = cell.indexOf(' ::: ');
  return end < 0 ? cell : cell.slice(0, end);
}

/** `ada@example.com / bo@example.com`, but not `ada@example.com`. */
const hasSeveralAts = (text: string): boolean => text.indexOf('@') !== text.lastIndexOf('@');

/** Takes the address out of a cell. If one person has several, it takes the first. */
export function readAddressCell(cell: string): Unwrapped {
  const first = firstValue(cell);
  const unwrapped = unwrapAddress(withoutGuard(first));
  if (isAddress(unwrapped.address) || !hasSeveralAts(first)) return unwrapped;
  // Some programs write the address twice: `ada@example.com - ada@example.com`.
  const found = addressesIn(first);
  const [address = ''] = found;
  return found.length === 1 && isAddress(address) ? { address, name: '' } : unwrapped;
}

/** The `@` of an address, also in full width, or encoded in a link. */
const SIGN = /[^\s@＠](?:[@＠]|%(?:25)?40)[^\s@＠]/;

/** Whether a cell is one address and, at most, a name. */
export function hasAddress(cell: string): boolean {
  // A quick check for most cells.
  if (cell.length < MIN_LENGTH || cell.length > MAX_LENGTH || !SIGN.test(cell)) return false;
  // After the bracket of an address there is no word. There is one here: `Ada <ada@example.com>;
  // Bauer`.
  const close = cell.lastIndexOf('>');
  if (close >= 0 && /\w/.test(cell.at(-1) ?? '')) return false;
  return isAddress(readAddressCell(cell).address);
}

/** Whether a cell holds addresses of several people. */
export function hasSeveralAddresses(cell: string): boolean {
  const first = firstValue(cell);
  if (!hasSeveralAts(first)) return false;
  return !isAddress(readAddressCell(cell).address) && addressesIn(first).length > 1;
}

/** Whether there are addresses among other words: `Questions? Write to bo@example.com, please`. */
export const mentionsAddress = (cell: string): boolean =>
  cell.length <= MAX_LENGTH && mayHaveAddress(cell) && addressesIn(cell).some(isAddress);
