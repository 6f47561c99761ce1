/** Reads cookies, for as much of RFC 6265 as this service needs. */

/** The value of the first cookie of a name in a Cookie header, `undefined` if there is none. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}
