import type { FastifyInstance } from 'fastify';

/** `@RouteConfig({ bodyLimitBytes })` on a handler: its bodies may be larger than those of other console routes. */
interface LimitedConfig {
  readonly bodyLimitBytes?: number;
}

/** Gives routes that ask for one a body limit of their own. Call before routes are registered. */
export function applyBodyLimits(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { bodyLimitBytes } = (route.config ?? {}) as LimitedConfig;
    if (bodyLimitBytes !== undefined) route.bodyLimit = bodyLimitBytes;
  });
}
