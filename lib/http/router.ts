/** What a route is, and how the route of a request is found. */
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/** Runs in a transaction that reads. Returns a reply, or what has to be recorded before it. */
export type Handler = (request: Request) => Reply | Recording;

/** Runs in a transaction that writes, and asks the store again whether it may. */
export type Recording = () => Reply;

/** Refuses a request with a reply, or lets it pass. */
export type Check = (request: Request) => Reply | undefined;

export type Route = {
  readonly answer: Handler;
  /** For a route that takes a JSON object. Of all others, no byte of a body is read. */
  readonly body?: BodyStep;
};

export type BodyStep = {
  /** Runs before the body is read, in a transaction that reads. */
  readonly admit: Check;
  readonly maxBytes: number;
};

/** Routes by method and path: `GET /timeline`. */
export type Routes = ReadonlyMap<string, Route>;

/** Method and raw path must match exactly. HEAD has the route of GET, unless it has its own. */
export function findRoute(routes: Routes, { method, path }: Request): Route | undefined {
  const route = routes.get(`${method} ${path}`);
  return method === 'HEAD' ? (route ?? routes.get(`GET ${path}`)) : route;
}
