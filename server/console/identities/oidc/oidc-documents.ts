import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Result } from '../../../common/result.js';
import { fail, ok } from '../../../common/result.js';
import { describeFault } from '../../../infra/http-client/upstream-fault.js';
import { Clock } from '../../../common/clock.js';
import type { OidcEndpoints } from '../dto/oauth.dto.js';
import { IdentityFetcher, ProviderUnreachable } from '../identity-fetcher.js';
import { guardedFetch } from './guarded-fetch.js';

const RETENTION_MS = 3_600_000;
const WELL_KNOWN = '/.well-known/openid-configuration';
/** Discovery asks for a client, and sends nothing of it. */
const ANY_CLIENT = 'tollgate';

const webAddress = z
  .string()
  .max(2_048)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''));

const names = z
  .array(z.string())
  .nullish()
  .transform((known) => known ?? undefined);

/** Requirements on a provider (OpenID Connect Discovery 1.0, part 3), beside those of openid-client. */
const documentSchema = z.looseObject({
  issuer: webAddress,
  authorization_endpoint: webAddress,
  token_endpoint: webAddress,
  userinfo_endpoint: webAddress,
  jwks_uri: webAddress,
  token_endpoint_auth_methods_supported: names,
  id_token_signing_alg_values_supported: names,
});
export type OidcDocument = z.infer<typeof documentSchema>;

/** Signatures of id tokens that openid-client can check; it refuses those whose key is the client's own secret. */
const CHECKED_SIGNATURE = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;

/** Discovery documents of OIDC providers, read by openid-client and kept for an hour. */
@Injectable()
export class OidcDocuments {
  private known:
    { readonly document: OidcDocument; readonly wellKnown: string; readonly untilMs: number } | undefined;

  constructor(
    private readonly fetcher: IdentityFetcher,
    private readonly clock: Clock,
  ) {}

  /** The same object as long as it is kept. Fails: with the reason, for the operator. */
  async of(wellKnown: string): Promise<Result<OidcDocument, string>> {
    const { known } = this;
    if (known !== undefined && known.wellKnown === wellKnown && this.clock.monotonicMs() < known.untilMs)
      return ok(known.document);
    const document = await this.read(wellKnown);
    if (document.ok)
      this.known = { document: document.value, wellKnown, untilMs: this.clock.monotonicMs() + RETENTION_MS };
    return document;
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
    const oidc = await import('openid-client');
    let metadata: unknown;
    try {
      const config = await oidc.discovery(new URL(wellKnown), ANY_CLIENT, undefined, undefined, {
        [oidc.customFetch]: guardedFetch(this.fetcher, { readsAnyTypeAsJson: true }),
        // The outbound policy decides about plain http.
        execute: [oidc.allowInsecureRequests],
      });
      metadata = config.serverMetadata();
    } catch (error) {
      return fail(reasonOf(error));
    }
    const document = documentSchema.safeParse(metadata);
    if (!document.success)
      return fail(`no discovery document (see ${document.error.issues[0]?.path.join('.') || 'the body'})`);
    return checked(document.data, wellKnown);
  }
}

function checked(document: OidcDocument, wellKnown: string): Result<OidcDocument, string> {
  // One that names none means RS256.
  const algorithms = document.id_token_signing_alg_values_supported ?? ['RS256'];
  if (!algorithms.some((name) => CHECKED_SIGNATURE.test(name))) {
    const named = algorithms.join(', ').slice(0, 200) || 'none';
    return fail(`id tokens are signed in ways that cannot be checked here (${named})`);
  }
  // The server at this address may only vouch for this issuer. With a typed issuer, the library has checked that.
  const expected = `${document.issuer.replace(/\/$/, '')}${WELL_KNOWN}`;
  const isOwn = expected === wellKnown || !wellKnown.includes('/.well-known/');
  return isOwn ? ok(document) : fail('the document belongs to another issuer');
}

/** Reason openid-client has no document, in words for the operator and without the provider's text. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof ProviderUnreachable) return describeFault(cause.fault);
  if (cause instanceof Response && cause.status !== 200) return `status ${cause.status}`;
  return 'no discovery document (see the body)';
}
