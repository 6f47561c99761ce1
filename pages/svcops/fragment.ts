/**
 * The fragment of the page's address: `#status=pending&person=ada%40example.com`, or one of the
 * two.
 */
import { normalizeEmail } from '../../lib/addresses/address.ts';

const PERSON = 'person=';

const partsOf = (url: string): readonly string[] => new URL(url).hash.slice(1).split('&');

/** The filter of the invite list that an address names: `status=pending`; empty without one. */
export const filterIn = (url: string): string =>
  partsOf(url)
    .filter((part) => !part.startsWith(PERSON))
    .join('&');

/** The person whom an address names; empty without one. */
export function personIn(url: string): string {
  const part = partsOf(url).find((each) => each.startsWith(PERSON)) ?? '';
  // Otherwise `URLSearchParams` would read the plus sign of an email address as a space.
  const query = new URLSearchParams(part.replaceAll('+', '%2B'));
  return normalizeEmail(query.get('person') ?? '') ?? '';
}

/** The page's address with a filter of the invite list and a person. Each may be empty. */
export function withFragment(filter: string, person: string): string {
  const parts: string[] = [];
  if (filter !== '') parts.push(filter);
  if (person !== '') parts.push(PERSON + encodeURIComponent(person));
  const fragment = parts.length > 0 ? `#${parts.join('&')}` : '';
  return location.pathname + location.search + fragment;
}
