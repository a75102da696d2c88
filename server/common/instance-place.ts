import { hostname } from 'node:os';

const MAX_LENGTH = 191;

/**
 * Name of an instance for operators: two instances of one machine listen on different ports.
 * @param port  0 = any port, which is left out
 */
export const instancePlace = (port?: number): string =>
  (port === undefined || port === 0 ? hostname() : `${hostname()}:${port}`).slice(0, MAX_LENGTH);
