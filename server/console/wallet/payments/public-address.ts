import type { Env } from '../../../config/env.js';
import { configuredAddress } from '../../../base/options/server-address.js';
import type { OptionValues } from '../../../base/options/option-catalogue.js';

/** Address of this server for browsers and payment services, without a trailing slash. */
export const publicAddress = (options: Pick<OptionValues, 'ServerAddress'>, env: Env): string =>
  configuredAddress(options, env) || `http://localhost:${env.port}${env.basePath}`;
