import { Injectable, Logger } from '@nestjs/common';
import type { Configuration } from 'openid-client';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Clock } from '../../../common/clock.js';
import { OptionsService } from '../../../base/options/options.service.js';
import type { OptionValues } from '../../../base/options/option-catalogue.js';
import type { FlowProof } from '../flow-state.js';
import { IdentityFetcher } from '../identity-fetcher.js';
import { PROVIDER_FACTS } from '../../../base/access/identity-providers.js';
import { type ExternalProfile, SUBJECT_MAX } from '../external-profile.js';
import { type Callback, type RedirectIdentity, withParameters } from '../redirect-identity.js';
import { ReturnAddress } from '../return-address.js';
import { guardedFetch } from './guarded-fetch.js';
import { type OidcDocument, OidcDocuments } from './oidc-documents.js';

const { label } = PROVIDER_FACTS.oidc;
/** Largest lead of a provider's clock. */
const MAX_AHEAD_SECONDS = 300;
const SCOPE = 'openid profile email';

/** Nine megabytes, loaded by the first who signs in this way. */
type Library = typeof import('openid-client');

interface Setup {
  readonly options: OptionValues;
  readonly document: OidcDocument | null;
  readonly config: Configuration;
}

interface Claims {
  readonly sub: string;
  readonly name?: unknown;
  readonly preferred_username?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  /** Seconds; of the id token. */
  readonly iat?: unknown;
}

/** An OpenID Connect provider: code flow with PKCE and nonce, by openid-client. */
@Injectable()
export class OidcIdentity implements RedirectIdentity {
  private readonly logger = new Logger('Identities');
  /** Kept while document and options stay, for the provider's keys that the library remembers in it. */
  private kept: Setup | undefined;

  constructor(
    private readonly options: OptionsService,
    private readonly fetcher: IdentityFetcher,
    private readonly documents: OidcDocuments,
    private readonly returnAddress: ReturnAddress,
    private readonly clock: Clock,
  ) {}

  /** Sends no request: the endpoint was typed or filled in on the settings page. */
  async authorizationUrl(state: string, proof: FlowProof): Promise<string> {
    const oidc = await import('openid-client');
    const url = oidc.buildAuthorizationUrl(this.configure(oidc, this.options.values(), null), {
      redirect_uri: this.returnAddress.required('oidc'),
      scope: SCOPE,
      state,
      nonce: proof.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(proof.verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  async profileOf(callback: Callback): Promise<ExternalProfile> {
    const returnAddress = this.returnAddress.required('oidc');
    const document = await this.discovered();
    const oidc = await import('openid-client');
    const { config } = this.setup(oidc, document);
    try {
      const claims = await redeem(oidc, config, callback, returnAddress, document !== null);
      assertIssuedByNow(claims, this.clock.nowMs());
      return profileOf(claims);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (error instanceof Error && error.cause instanceof DomainError) throw error.cause;
      this.logger.warn(`OIDC did not confirm a sign-in: ${describe(error)}`);
      throw new DomainError('identity_refused', { provider: label });
    }
  }

  /** Null when no discovery address is set: the endpoints were typed by hand. */
  private async discovered(): Promise<OidcDocument | null> {
    const wellKnown = this.options.values()['oidc.well_known'];
    if (wellKnown === '') return null;
    const document = await this.documents.of(wellKnown);
    if (document.ok) return document.value;
    this.logger.warn(`the OIDC discovery document cannot be used: ${document.error}`);
    throw new DomainError('identity_unreachable', { provider: label });
  }

  private setup(oidc: Library, document: OidcDocument | null): Setup {
    const options = this.options.values();
    if (this.kept?.options !== options || this.kept.document !== document)
      this.kept = { options, document, config: this.configure(oidc, options, document) };
    return this.kept;
  }

  /** Endpoints are those of the options, which the client's secret was typed for; the rest is the document's. */
  private configure(oidc: Library, options: OptionValues, document: OidcDocument | null): Configuration {
    const secret = options['oidc.client_secret'];
    const tokenEndpoint = options['oidc.token_endpoint'];
    const server = {
      ...(document ?? { issuer: new URL(tokenEndpoint).origin }),
      authorization_endpoint: options['oidc.authorization_endpoint'],
      token_endpoint: tokenEndpoint,
      userinfo_endpoint: options['oidc.user_info_endpoint'],
    };
    const takesPost =
      document?.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? document === null;
    const authentication = takesPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
    const config = new oidc.Configuration(server, options['oidc.client_id'], secret, authentication);
    config[oidc.customFetch] = guardedFetch(this.fetcher, { dropsIdTokens: document === null });
    // The outbound policy decides about plain http; it lets allowed private hosts through and no others.
    oidc.allowInsecureRequests(config);
    if (document !== null) oidc.enableNonRepudiationChecks(config);
    return config;
  }
}

/**
 * Exchanges the code, checks the id token (signature, issuer, audience, time, nonce) and reads the profile. Without discovery there
 * are no keys to check an id token by: then the token endpoint's own answer over TLS and the user info count, and no id token.
 */
async function redeem(
  oidc: Library,
  config: Configuration,
  { code, state, issuer, proof }: Callback,
  returnAddress: string,
  hasKeys: boolean,
): Promise<Claims> {
  const current = new URL(withParameters(returnAddress, { code, state, iss: hasKeys ? issuer : undefined }));
  const tokens = await oidc.authorizationCodeGrant(config, current, {
    expectedState: state,
    idTokenExpected: hasKeys,
    ...(proof === null ? {} : { pkceCodeVerifier: proof.verifier }),
    ...(proof === null || !hasKeys ? {} : { expectedNonce: proof.nonce }),
  });
  const claims = tokens.claims();
  // OpenID Connect Core 3.1.3.7: the library looks at it only where the token is for several clients.
  const { client_id: ownId } = config.clientMetadata();
  if (hasKeys && claims?.azp !== undefined && claims.azp !== ownId)
    throw new Error('another client asked for the id token');
  const info = await oidc.fetchUserInfo(
    config,
    tokens.access_token,
    hasKeys ? (claims?.sub ?? '') : oidc.skipSubjectCheck,
  );
  // The address and its verified flag come from one document: the one that names the address.
  const { email, email_verified } = info.email === undefined && claims !== undefined ? claims : info;
  return { ...claims, ...info, email, email_verified, iat: claims?.iat, sub: claims?.sub ?? info.sub };
}

/** The library checks that a token has not expired, not that it was issued already. */
export function assertIssuedByNow({ iat }: Pick<Claims, 'iat'>, nowMs: number): void {
  if (typeof iat === 'number' && iat > nowMs / 1000 + MAX_AHEAD_SECONDS)
    throw new Error('the id token was issued in the future');
}

function profileOf(claims: Claims): ExternalProfile {
  const { sub } = claims;
  if (sub.length > SUBJECT_MAX) throw new DomainError('identity_answer_unreadable', { provider: label });
  return {
    provider: 'oidc',
    subject: sub,
    username: textOf(claims.preferred_username),
    displayName: textOf(claims.name) ?? textOf(claims.preferred_username),
    // Some providers send it as text.
    verifiedMail:
      claims.email_verified === true || claims.email_verified === 'true' ? textOf(claims.email) : undefined,
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** Describes the error without the provider's text. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error ? ` (${String(error.code)})` : '';
  return `${error.message.slice(0, 200)}${code}`;
}
