/** Reads first names from rows, some of which other programs wrote. */
import { trimInvisible, withoutBidiControls } from '../addresses/address.ts';

/** A first name without bidirectional controls; `null` if nothing is left. */
export function readFirstName(stored: string | null): string | null {
  if (stored === null) return null;
  const plain = withoutBidiControls(stored);
  if (plain === stored) return stored;
  return trimInvisible(plain) || null;
}

/**
 * A row with its first name as pages and tools show it. Every row with a first name passes here.
 */
export const readNamedRow = <Row extends { readonly firstName: string | null }>(row: Row): Row => ({
  ...row,
  firstName: readFirstName(row.firstName),
});
