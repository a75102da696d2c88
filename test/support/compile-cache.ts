import { join } from 'node:path';

/**
 * Environment of every started program. Tests start the built product hundreds of times, and reading its modules is more than a third
 * of what a start costs: Node keeps what it compiled, by content.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/node-compile'),
} as const;
