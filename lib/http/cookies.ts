/** The cookie parser. */
import type { Request } from './request.ts';

/** The values of all cookies of a name, in order, for as much of RFC 6265 as is needed here. */
export const readCookies = ({ headers: { cookie = '' } }: Request, name: string): string[] =>
  cookie.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals > 0 && pair.slice(0, equals).trim() === name ? pair.slice(equals + 1).trim() : [];
  });
