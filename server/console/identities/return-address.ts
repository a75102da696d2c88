import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { Env } from '../../config/env.js';
import { configuredAddress } from '../../base/options/server-address.js';
import type { OptionValues } from '../../base/options/option-catalogue.js';
import { OptionsService } from '../../base/options/options.service.js';
import {
  PROVIDER_FACTS,
  REDIRECT_PROVIDERS,
  type RedirectProvider,
} from '../../base/access/identity-providers.js';

/** Only these send the browser back; a WeChat code is typed, and Telegram returns to the page with its button. */
const REDIRECT_SWITCHES = REDIRECT_PROVIDERS.map((provider) => PROVIDER_FACTS[provider].switch);

/** The address that providers send people back to: the configured one, never one that a request names. */
@Injectable()
export class ReturnAddress implements OnModuleInit {
  constructor(
    private readonly options: OptionsService,
    private readonly env: Env,
  ) {}

  onModuleInit(): void {
    this.options.registerCheck(['ServerAddress', ...REDIRECT_SWITCHES], (candidate, current) =>
      this.check(candidate, current),
    );
  }

  /** The console's page for the provider; null while no server address is configured. */
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

  /**
   * A provider that is on needs an address; one that was on without an address does not stop other changes.
   * Fails: DomainError `option_incomplete` naming the first switch that lacks the address.
   */
  private check(candidate: OptionValues, current: OptionValues): void {
    if (configuredAddress(candidate, this.env) !== '') return;
    const loses = configuredAddress(current, this.env) !== '';
    const key = REDIRECT_SWITCHES.find((each) => candidate[each] && (loses || !current[each]));
    if (key !== undefined) throw new DomainError('option_incomplete', { key, missing: 'ServerAddress' });
  }
}
