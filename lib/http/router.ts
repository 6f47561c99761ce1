/** What a handler is, and how the handler of a request is found. */
import type { Reply } from './reply.ts';
import type { JsonObject, Request } from './request.ts';

/** Runs in a transaction that reads. Returns a reply, or what has to be done before there is one. */
export type Handler = (request: Request) => Answer;

export type Answer = Reply | Recording | BodyReading;

/** Runs in a transaction that writes, and asks the store again whether it may. */
export type Recording = () => Reply;

/** Reads a JSON object from the body, and answers with it. */
export type BodyReading = {
  readonly maxBytes: number;
  /** Runs in a transaction that reads, like a handler. */
  readonly answer: (body: JsonObject) => Reply | Recording;
};

/** Handlers by method and path: `GET /timeline`. */
export type Routes = ReadonlyMap<string, Handler>;

/** Method and raw path must match exactly. HEAD has the handler of GET, unless it has its own. */
export function findHandler(routes: Routes, { method, path }: Request): Handler | undefined {
  const handler = routes.get(`${method} ${path}`);
  return method === 'HEAD' ? (handler ?? routes.get(`GET ${path}`)) : handler;
}
