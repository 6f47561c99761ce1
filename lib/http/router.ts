/** What a route is, and how the route of a request is found. */
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

export type Handler = (request: Request) => Reply;

/** Refuses a request with a reply, or lets it pass. */
export type Check = (request: Request) => Reply | undefined;

export type Route = ReadingRoute | RecordingRoute;

type ReadingRoute = {
  readonly body?: BodyStep;
  /** Runs in a transaction that reads. */
  readonly read: Handler;
};

type RecordingRoute = {
  readonly body?: BodyStep;
  /** Runs in a transaction that reads, so that a refused request never locks the store. */
  readonly check: Check;
  /** Runs in a transaction that writes, and has to check again: the store may have changed. */
  readonly record: Handler;
};

/** For a route that takes a JSON object. Of all others, no byte of a body is read. */
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
