/** What a handler is, and how the handler of a request is found. */
import type { Reply } from './reply.ts';
import type { JsonObject, Request } from './request.ts';

/** Runs in a transaction that reads. Returns a reply, or what has to be done before there is one. */
export type Handler = (request: Request) => Outcome;

export type Outcome = Reply | Recording | BodyReading;

/** Runs in a transaction that writes, and asks the store again whether it may. */
export type Recording = () => Reply;

/** Asks for the JSON body before going on. */
export type BodyReading = {
  readonly maxBytes: number;
  /** Goes on when the body is read, like a handler. */
  readonly next: (body: JsonObject) => Reply | Recording;
};

/** Handlers by method and path: `GET /timeline`. */
export type Routes = ReadonlyMap<string, Handler>;

/** Method and raw path must match exactly. HEAD has the handler of GET. */
export function findHandler(routes: Routes, { method, path }: Request): Handler | undefined {
  return routes.get(`${method === 'HEAD' ? 'GET' : method} ${path}`);
}
