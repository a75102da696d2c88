import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { configuredAddress } from './configured-address.js';
import { OptionsService } from './options.service.js';

/** Where people reach this installation: configured, never taken from a request. */
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
