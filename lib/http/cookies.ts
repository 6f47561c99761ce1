/** Reads and writes cookies, as far as this service needs RFC 6265. */

/** The value of the first cookie of a name in a Cookie header, `undefined` if there is none. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

/**
 * A Set-Cookie header value for the whole site, hidden from scripts and from other sites.
 *
 * @param maxAge seconds until the browser deletes the cookie; 0 deletes it now
 * @param secure whether the browser sends the cookie over https only
 */
export const writeCookie = (
  name: string,
  value: string,
  { maxAge, secure }: { readonly maxAge: number; readonly secure: boolean },
): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
