/** What answers a URL, and how it is found: method and raw path must match exactly. */
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/** A step towards a reply: it ends the request with one, or lets it go on to the next step. */
export type Step = (request: Request) => Reply | undefined;

/** The steps of a route, in order. Each is synchronous; the last one has to reply. */
export type Route = {
  /** Takes a JSON object. Without this, no byte of a body is read. */
  readonly body?: BodyStep;
  /** Runs in the transaction that reads. */
  readonly read?: Step;
  /** Runs in the transaction that records; its reply leaves when that is on disk. */
  readonly record?: Step;
};

export type BodyStep = {
  /** Decides before the body is read, in a transaction that reads. */
  readonly admit: Step;
  readonly maxBytes: number;
};

/** Routes by method and path: `GET /timeline`. */
export type Routes = ReadonlyMap<string, Route>;

/** HEAD has the route of GET, unless it has its own. */
export function findRoute(routes: Routes, { method, path }: Request): Route | undefined {
  const route = routes.get(`${method} ${path}`);
  return method === 'HEAD' ? (route ?? routes.get(`GET ${path}`)) : route;
}
