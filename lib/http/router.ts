/** The router: finds the handler of a method and a raw path. */
import type { Request, Route } from './request.ts';

/** Makes a router. Method and path must match exactly. HEAD has the route of GET. */
export function createRouter(routes: readonly Route[]) {
  const byName = new Map(routes.map((route) => [route[0], route]));
  return ({ method, path }: Pick<Request, 'method' | 'path'>): Route | undefined => {
    const routeMethod = method === 'HEAD' ? 'GET' : method;
    return byName.get(`${routeMethod} ${path}`);
  };
}
