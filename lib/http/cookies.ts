/** A small cookie parser: what this service needs of RFC 6265. */

/** The value of the first cookie of a name in a Cookie header, `undefined` if there is none. */
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

/** A Set-Cookie header value for the whole site, hidden from scripts and from other sites. */
export const writeCookie = (name: string, value: string, options: CookieOptions): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${options.maxAge}` +
  `${options.secure ? '; Secure' : ''}`;
