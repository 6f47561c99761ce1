/** Finds the handler of a request by its exact method and raw path. */
import type { Handler } from './request.ts';

/** A handler and its name, method and path: `GET /timeline`. */
export type Route = readonly [name: string, handler: Handler];

/**
 * One handler for all routes. HEAD has the handler of GET.
 *
 * @param otherwise answers everything else
 * @param wrap put around each handler, with the name of its route
 */
export function router(
  routes: readonly Route[],
  otherwise: Handler,
  wrap: (name: string, handler: Handler) => Handler,
): Handler {
  const table = new Map(routes.map(([name, handler]) => [name, wrap(name, handler)]));
  const fallback = wrap('an unknown URL', otherwise);
  return (request) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    return (table.get(`${method} ${request.path}`) ?? fallback)(request);
  };
}
