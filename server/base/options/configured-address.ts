import type { Env } from '../../config/env.js';
import { publishedAddress } from '../../config/published-address.js';
import type { OptionValues } from './option-catalogue.js';

/** Where people reach this installation, its path included, without a slash at the end; empty = nobody said. */
export const configuredAddress = (
  { ServerAddress }: Pick<OptionValues, 'ServerAddress'>,
  { serverAddress = '', basePath }: Pick<Env, 'serverAddress' | 'basePath'>,
): string => publishedAddress(ServerAddress || serverAddress, basePath);
