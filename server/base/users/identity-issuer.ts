import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  boundTo,
  IDENTITY_PROVIDERS,
  type IdentityColumn,
  type IdentityProvider,
  type IssuerColumn,
  PROVIDER_FACTS,
} from '../access/identity-providers.js';
import type { OptionKey, OptionValues } from '../options/option-catalogue.js';
import { OptionsService } from '../options/options.service.js';
import { AccountsRepository } from './accounts.repository.js';

const DISCOVERY_PATH = '/.well-known/openid-configuration';

/** Options that decide which server vouches for an identity. */
export const ISSUER_OPTIONS = [
  'GitHubServerAddress',
  'GitHubApiAddress',
  'oidc.well_known',
  'oidc.user_info_endpoint',
  'LinuxDOServerAddress',
  'WeChatServerAddress',
] as const satisfies readonly OptionKey[];

type IssuerOptions = Pick<OptionValues, (typeof ISSUER_OPTIONS)[number]>;

/**
 * The server that vouches for the subjects of a provider: an issuer, or the addresses it is reached at. Empty where the provider is
 * the same everywhere (Telegram), or none is set. Migration 1763704441000 builds the same text in SQL.
 */
export function identityIssuerOf(options: IssuerOptions, provider: IdentityProvider): string {
  switch (provider) {
    case 'github': {
      const server = options.GitHubServerAddress || 'https://github.com';
      return `${server} ${options.GitHubApiAddress || 'https://api.github.com'}`;
    }
    case 'oidc':
      return options['oidc.well_known'].replaceAll(DISCOVERY_PATH, '') || options['oidc.user_info_endpoint'];
    case 'linuxdo':
      return options.LinuxDOServerAddress || 'https://connect.linux.do';
    case 'wechat':
      return options.WeChatServerAddress;
    case 'telegram':
      return '';
  }
}

/** Returns true when this issuer vouched for the identity of an account, or none was kept. */
export function isOfIssuer(
  account: Readonly<Partial<Record<IssuerColumn, string | null>>>,
  provider: IdentityProvider,
  issuer: string,
): boolean {
  const { issuer: column } = PROVIDER_FACTS[provider];
  const kept = column === null ? null : (account[column] ?? null);
  return kept === null || kept === issuer;
}

/** Accounts that a change of addresses leaves without their identity. */
export interface LostBindings {
  readonly provider: IdentityProvider;
  readonly accounts: number;
}

/** Follows changes of the options that name issuers. */
@Injectable()
export class IdentityIssuers implements OnModuleInit {
  constructor(
    private readonly options: OptionsService,
    private readonly accounts: AccountsRepository,
  ) {}

  onModuleInit(): void {
    this.options.registerCheck(ISSUER_OPTIONS, (candidate, current) => this.fill(candidate, current));
  }

  /** Issuer of a provider now. */
  of(provider: IdentityProvider): string {
    return identityIssuerOf(this.options.values(), provider);
  }

  /** The account without identities that another issuer vouched for. */
  withoutStale<Account extends Readonly<Record<IdentityColumn | IssuerColumn, string | null>>>(
    account: Account,
  ): Account {
    const stale = IDENTITY_PROVIDERS.filter((provider) => !isOfIssuer(account, provider, this.of(provider)));
    if (stale.length === 0) return account;
    return Object.assign({ ...account }, ...stale.map((provider) => boundTo(provider, null))) as Account;
  }

  /** Accounts whose identity does not open them any more, by provider, where the issuer was another one before. */
  async lostSince(before: OptionValues): Promise<readonly LostBindings[]> {
    const lost: LostBindings[] = [];
    for (const { provider, column, issuerColumn, old } of changedIssuers(this.options.values(), before)) {
      const accounts = await this.accounts.countBound(column, issuerColumn, old);
      if (accounts > 0) lost.push({ provider, accounts });
    }
    return lost;
  }

  /** Before an issuer changes, identities that a version before bound without one get the one they were bound at. */
  private async fill(candidate: OptionValues, current: OptionValues): Promise<void> {
    for (const { column, issuerColumn, old } of changedIssuers(candidate, current))
      await this.accounts.fillIssuers(column, issuerColumn, old);
  }
}

function changedIssuers(now: OptionValues, before: OptionValues) {
  return IDENTITY_PROVIDERS.flatMap((provider) => {
    const { column, issuer: issuerColumn } = PROVIDER_FACTS[provider];
    const old = identityIssuerOf(before, provider);
    if (issuerColumn === null || old === identityIssuerOf(now, provider)) return [];
    return [{ provider, column, issuerColumn, old }];
  });
}
