import type { Env } from '../../config/env.js';
import type { OptionValues } from '../options/option-catalogue.js';

/** Where browsers and payment services reach this server, without a trailing slash. */
export const publicAddress = (options: Pick<OptionValues, 'ServerAddress'>, env: Env): string =>
  (options.ServerAddress || env.serverAddress || `http://localhost:${env.port}`).replace(/\/+$/, '');
