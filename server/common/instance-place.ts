import { hostname } from 'node:os';

const MAX_LENGTH = 191;

/** How operators are told of an instance: two of one machine listen on different ports. */
export const instancePlace = (port?: number): string =>
  (port === undefined ? hostname() : `${hostname()}:${port}`).slice(0, MAX_LENGTH);
