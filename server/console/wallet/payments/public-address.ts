import type { Env } from '../../../config/env.js';
import { configuredAddress } from '../../../base/options/configured-address.js';
import type { OptionValues } from '../../../base/options/option-catalogue.js';

/** Where browsers and payment services reach this server, without a trailing slash. */
export const publicAddress = (options: Pick<OptionValues, 'ServerAddress'>, env: Env): string =>
  configuredAddress(options, env) || `http://localhost:${env.port}${env.basePath}`;
