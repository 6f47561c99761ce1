/** Finds the handler of a request: method and raw path must match exactly. */
import { NOT_FOUND } from './reply.ts';
import type { Handler } from './request.ts';

/** Handlers by method and path: `{ 'GET /timeline': timeline }`. */
export type Routes = Readonly<Record<string, Handler>>;

/** One handler that answers every route of the table, and the plain 404 everywhere else. HEAD goes where GET goes. */
export function router(routes: Routes): Handler {
  const table = new Map(Object.entries(routes));
  return (request) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    return table.get(`${method} ${request.path}`)?.(request) ?? NOT_FOUND;
  };
}
