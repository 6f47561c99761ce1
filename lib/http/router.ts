/** Finds the handler of a request: method and raw path must match exactly. */
import type { Handler } from './request.ts';

/** Handlers by method and path: `{ 'GET /timeline': timeline }`. */
export type Routes = Readonly<Record<string, Handler>>;

/**
 * One handler that answers every route of the table. HEAD goes where GET goes.
 *
 * @param otherwise answers everything else
 * @param wrap put around each handler, with the name of its route
 */
export function router(
  routes: Routes,
  otherwise: Handler,
  wrap: (route: string, handler: Handler) => Handler,
): Handler {
  const table = new Map(
    Object.entries(routes).map(([name, handler]) => [name, wrap(name, handler)]),
  );
  const fallback = wrap('an unknown URL', otherwise);
  return (request) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    return (table.get(`${method} ${request.path}`) ?? fallback)(request);
  };
}
