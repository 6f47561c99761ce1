/** Parses cookies, as far as this service needs RFC 6265. */
import type { Request } from './request.ts';

/** The values of all cookies of a name, in order. */
export function readCookies({ headers }: Request, name: string): readonly string[] {
  const values: string[] = [];
  for (const pair of (headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) {
      values.push(pair.slice(equals + 1).trim());
    }
  }
  return values;
}
