import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { OptionsService } from './options.service.js';
import { publishedAddress } from '../../config/published-address.js';
import type { OptionValues } from './option-catalogue.js';

/** Public address of this installation, its path included, without a slash at the end; empty = not configured. */
export const configuredAddress = (
  { ServerAddress }: Pick<OptionValues, 'ServerAddress'>,
  { serverAddress = '', basePath }: Pick<Env, 'serverAddress' | 'basePath'>,
): string => publishedAddress(ServerAddress || serverAddress, basePath);

/** Public address of this installation: configured, never taken from a request. */
@Injectable()
export class ServerAddress {
  constructor(
    private readonly options: OptionsService,
    private readonly env: Env,
  ) {}

  /** @param path  begins with a slash. @returns null while no address is configured */
  page(path: string): string | null {
    const base = configuredAddress(this.options.values(), this.env);
    return base === '' ? null : `${base}${path}`;
  }
}
