import { hostname } from 'node:os';

const MAX_LENGTH = 191;

/**
 * How operators are told of an instance: two of one machine listen on different ports.
 * @param port  0 = any, which says nothing
 */
export const instancePlace = (port?: number): string =>
  (port === undefined || port === 0 ? hostname() : `${hostname()}:${port}`).slice(0, MAX_LENGTH);
