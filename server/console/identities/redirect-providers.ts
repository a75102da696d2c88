import { Injectable } from '@nestjs/common';
import { GitHubIdentity } from './github/github.identity.js';
import type { RedirectProvider } from '../../base/access/identity-providers.js';
import { LinuxDoIdentity } from './linux-do.identity.js';
import { OidcIdentity } from './oidc/oidc.identity.js';
import type { RedirectIdentity } from './redirect-identity.js';

/** The providers people are sent to and come back from. */
@Injectable()
export class RedirectProviders {
  private readonly providers: Readonly<Record<RedirectProvider, RedirectIdentity>>;

  constructor(github: GitHubIdentity, oidc: OidcIdentity, linuxdo: LinuxDoIdentity) {
    this.providers = { github, oidc, linuxdo };
  }

  of(provider: RedirectProvider): RedirectIdentity {
    return this.providers[provider];
  }
}
