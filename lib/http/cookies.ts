/** A small cookie parser: what this service needs of RFC 6265. */

/**
 * The value of one cookie, as it was sent.
 *
 * @param header the Cookie header
 * @returns the first cookie of that name, `undefined` where there is none
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

export type CookieOptions = {
  /** Seconds until the browser forgets the cookie; 0 deletes it. */
  readonly maxAge: number;
  /** Whether the browser sends the cookie over https only. */
  readonly secure: boolean;
};

/** A Set-Cookie header value for the whole site, out of reach of scripts and of other sites' requests. */
export function writeCookie(
  name: string,
  value: string,
  { maxAge, secure }: CookieOptions,
): string {
  const cookie = `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}`;
  return secure ? `${cookie}; Secure` : cookie;
}
