import { Injectable } from '@nestjs/common';
import type { ExportedJWKSCache } from 'openid-client';
import { z } from 'zod';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Result } from '../../common/result.js';
import { fail, ok } from '../../common/result.js';
import { OutboundClient } from '../../infra/http-client/outbound-client.js';
import { describeFault } from '../../infra/http-client/upstream-fault.js';
import { Clock } from '../../relay-core/ports/clock.js';
import type { OidcEndpoints } from './dto/oauth.dto.js';

const LIMITS = { timeoutMs: 5_000, maxBytes: 256 * 1024 } as const;
const KEPT_MS = 3_600_000;
const WELL_KNOWN = '/.well-known/openid-configuration';

const webAddress = z
  .string()
  .max(2_048)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''));
const names = z.array(z.string()).nullish();

/** The members of a discovery document that are used (OpenID Connect Discovery 1.0, part 3). */
const documentSchema = z.object({
  issuer: webAddress,
  authorization_endpoint: webAddress,
  token_endpoint: webAddress,
  userinfo_endpoint: webAddress,
  jwks_uri: webAddress,
  token_endpoint_auth_methods_supported: names,
  id_token_signing_alg_values_supported: names,
  authorization_response_iss_parameter_supported: z.boolean().nullish(),
});
export type OidcDocument = z.infer<typeof documentSchema>;

/** How id tokens may be signed: what openid-client can check, without those whose key is the client's own secret. */
const SIGNING_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Those of a provider that can be checked here; a document that names none means RS256. */
export const signingAlgorithmsOf = (document: OidcDocument): string[] =>
  (document.id_token_signing_alg_values_supported ?? ['RS256']).filter((name) =>
    SIGNING_ALGORITHMS.includes(name),
  );

/** A document and what has been learnt of its provider's keys. */
export interface OidcMetadata {
  readonly document: OidcDocument;
  readonly keys: { cache: ExportedJWKSCache | undefined };
}

/** Discovery documents of OIDC providers, kept for an hour. */
@Injectable()
export class OidcMetadataSource {
  private known: (OidcMetadata & { readonly wellKnown: string; readonly untilMs: number }) | undefined;

  constructor(
    private readonly outbound: OutboundClient,
    private readonly clock: Clock,
  ) {}

  /** @returns null when the provider cannot be read now; the reason is for the operator */
  async of(wellKnown: string): Promise<Result<OidcMetadata, string>> {
    const { known } = this;
    if (known !== undefined && known.wellKnown === wellKnown && this.clock.monotonicMs() < known.untilMs)
      return ok(known);
    const document = await this.read(wellKnown);
    if (!document.ok) return document;
    this.known = {
      document: document.value,
      keys: { cache: undefined },
      wellKnown,
      untilMs: this.clock.monotonicMs() + KEPT_MS,
    };
    return ok(this.known);
  }

  /** For the settings page. Fails: DomainError `oidc_address_invalid`, `oidc_discovery_failed` with the reason. */
  async discover(wellKnown: string): Promise<OidcEndpoints> {
    if (!/^https?:\/\//i.test(wellKnown) || !URL.canParse(wellKnown))
      throw new DomainError('oidc_address_invalid');
    const document = await this.read(wellKnown);
    if (!document.ok) throw new DomainError('oidc_discovery_failed', { reason: document.error });
    const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint } = document.value;
    return { issuer, authorization_endpoint, token_endpoint, user_info_endpoint: userinfo_endpoint };
  }

  private async read(wellKnown: string): Promise<Result<OidcDocument, string>> {
    const reply = await this.outbound.fetch(
      'identity',
      {
        method: 'GET',
        url: wellKnown,
        headers: { accept: 'application/json', 'user-agent': 'tollgate' },
        body: undefined,
      },
      LIMITS,
    );
    if (!reply.ok) return fail(describeFault(reply.error));
    if (reply.value.status !== 200) return fail(`status ${reply.value.status}`);
    const document = documentSchema.safeParse(parseJson(reply.value.body));
    if (!document.success) {
      return fail(`no discovery document (see ${document.error.issues[0]?.path.join('.') || 'the body'})`);
    }
    if (signingAlgorithmsOf(document.data).length === 0) {
      const named = (document.data.id_token_signing_alg_values_supported ?? []).join(', ').slice(0, 200);
      return fail(`id tokens are signed in ways that cannot be checked here (${named || 'none'})`);
    }
    // Whoever answers at this address may speak for this issuer only.
    const expected = `${document.data.issuer.replace(/\/$/, '')}${WELL_KNOWN}`;
    return expected === wellKnown ? ok(document.data) : fail('the document belongs to another issuer');
  }
}

/** Undefined for what is no JSON. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
