import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import { OptionsService } from '../../base/options/options.service.js';
import { IdentityFetcher } from './identity-fetcher.js';
import { PROVIDER_FACTS } from '../../base/access/identity-providers.js';
import type { ExternalProfile } from './external-profile.js';
import { type Callback, type RedirectIdentity, withParameters } from './redirect-identity.js';
import { ReturnAddress } from './return-address.js';

const { label } = PROVIDER_FACTS.linuxdo;

const tokenSchema = z.object({ access_token: z.string().min(1) });
const userSchema = z.object({
  id: z.int().positive(),
  username: z.string().nullish(),
  name: z.string().nullish(),
  active: z.boolean().nullish(),
  silenced: z.boolean().nullish(),
  trust_level: z.int().nullish(),
});

/** Linux DO Connect: OAuth 2 with a code, client id and secret by HTTP Basic. */
@Injectable()
export class LinuxDoIdentity implements RedirectIdentity {
  constructor(
    private readonly options: OptionsService,
    private readonly fetcher: IdentityFetcher,
    private readonly returnAddress: ReturnAddress,
  ) {}

  async authorizationUrl(state: string): Promise<string> {
    return withParameters(`${this.base()}/oauth2/authorize`, {
      response_type: 'code',
      client_id: this.options.values().LinuxDOClientId,
      redirect_uri: this.returnAddress.of('linuxdo') ?? undefined,
      state,
    });
  }

  /** Fails: DomainError, `identity_not_welcome` and `identity_trust_too_low` for members that community restricts. */
  async profileOf({ code }: Callback): Promise<ExternalProfile> {
    const accessToken = await this.exchange(code);
    const reply = await this.fetcher.send(label, {
      method: 'GET',
      url: `${this.base()}/api/user`,
      headers: { authorization: `Bearer ${accessToken}` },
    });
    const user = this.fetcher.readJson(label, reply, userSchema);
    if (user.active === false || user.silenced === true)
      throw new DomainError('identity_not_welcome', { provider: label });
    const minimum = this.options.values().LinuxDOMinimumTrustLevel;
    const level = user.trust_level ?? 0;
    if (level < minimum) throw new DomainError('identity_trust_too_low', { provider: label, level, minimum });
    return {
      provider: 'linuxdo',
      subject: String(user.id),
      displayName: user.name || user.username || undefined,
    };
  }

  private async exchange(code: string): Promise<string> {
    const { LinuxDOClientId, LinuxDOClientSecret } = this.options.values();
    const credentials = Buffer.from(`${LinuxDOClientId}:${LinuxDOClientSecret}`).toString('base64');
    const form = new URLSearchParams({ grant_type: 'authorization_code', code });
    const returnAddress = this.returnAddress.of('linuxdo');
    if (returnAddress !== null) form.set('redirect_uri', returnAddress);
    const reply = await this.fetcher.send(label, {
      method: 'POST',
      url: `${this.base()}/oauth2/token`,
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
    });
    return this.fetcher.readJson(label, reply, tokenSchema).access_token;
  }

  private base(): string {
    return this.options.values().LinuxDOServerAddress || 'https://connect.linux.do';
  }
}
