import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { Env } from '../../config/env.js';
import { configuredAddress } from '../../base/options/configured-address.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { RedirectProvider } from '../../base/access/identity-providers.js';

/** Where providers send people back to: the configured address, never one a request names. */
@Injectable()
export class ReturnAddress {
  constructor(
    private readonly options: OptionsService,
    private readonly env: Env,
  ) {}

  /** The console's page for the provider; null when nobody said where this server stands. */
  of(provider: RedirectProvider): string | null {
    const base = configuredAddress(this.options.values(), this.env);
    return base === '' ? null : `${base}/oauth/${provider}`;
  }

  /** Fails: DomainError `server_address_required`. */
  required(provider: RedirectProvider): string {
    const address = this.of(provider);
    if (address === null) throw new DomainError('server_address_required');
    return address;
  }
}
