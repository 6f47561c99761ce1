/** Finds the handler of a request by its exact method and raw path. */
import type { Handler } from './request.ts';

/** A handler and its name, method and path: `GET /timeline`. */
export type Route = readonly [name: string, handler: Handler];

/** One handler for all routes. HEAD has the handler of GET; `otherwise` answers everything else. */
export function router(routes: Iterable<Route>, otherwise: Handler): Handler {
  const table = new Map(routes);
  return (request) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    return (table.get(`${method} ${request.path}`) ?? otherwise)(request);
  };
}
