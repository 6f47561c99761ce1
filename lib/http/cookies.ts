/** Reads cookies, for as much of RFC 6265 as this service needs. */

/** The values of all cookies of a name in a Cookie header, in order. */
export const readCookies = (header: string | undefined, name: string): readonly string[] =>
  (header?.split(';') ?? []).flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals > 0 && pair.slice(0, equals).trim() === name ? pair.slice(equals + 1).trim() : [];
  });
