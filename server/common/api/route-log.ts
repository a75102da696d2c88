import type { FastifyInstance } from 'fastify';

/** One route as the router knows it. */
export interface LoggedRoute {
  readonly method: string;
  readonly path: string;
}

/** Every route registered on the instance after this call, in order. The HEAD routes beside GET routes are left out. */
export class RouteLog {
  readonly routes: LoggedRoute[] = [];

  constructor(fastify: FastifyInstance) {
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) {
        if (name !== 'HEAD' && name !== 'OPTIONS') this.routes.push({ method: name, path: url });
      }
    });
  }

  /** Methods the path is registered for. */
  methodsOf(path: string): string[] {
    const methods = this.routes.filter((route) => matches(route.path, path)).map((route) => route.method);
    return [...new Set(methods)];
  }
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.replace(/\/$/, '').split('/');
  if (pattern.endsWith('*')) return wanted.slice(0, -1).every((segment, index) => segment === given[index]);
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) =>
      segment.startsWith(':') ? given[index] !== '' : segment === given[index],
    )
  );
}
