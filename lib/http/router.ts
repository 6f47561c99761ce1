/** What a handler is, and how the handler of a request is found. */
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/** Answers a request, or asks for its body first. */
export type Handler = (request: Request) => Outcome;

export type Outcome = Reply | BodyWanted;

/**
 * The handler is called again, with the body or with the reply that refuses it, so that its guards
 * decide by what the store says then.
 */
export type BodyWanted = { readonly maxBytes: number };

export type Route = {
  readonly handler: Handler;
  /** When it may write; then the store is locked first. */
  readonly writes: 'never' | 'at once' | 'with its body';
};

/** Routes by method and path: `GET /timeline`. */
export type Routes = ReadonlyMap<string, Route>;

export const reads = (handler: Handler): Route => ({ handler, writes: 'never' });
export const writes = (handler: Handler): Route => ({ handler, writes: 'at once' });
export const writesBody = (handler: Handler): Route => ({ handler, writes: 'with its body' });

/** The only path that is matched by its beginning: a link whose `#` was sent as `%23`. */
const PREFIX = '/%23';

/** Method and raw path must match exactly. HEAD has the handler of GET. */
export function findRoute(routes: Routes, { method, path }: Request): Route | undefined {
  const name = path.startsWith(PREFIX) ? PREFIX : path;
  return routes.get(`${method === 'HEAD' ? 'GET' : method} ${name}`);
}
