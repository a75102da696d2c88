import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Configuration, CustomFetchOptions, ServerMetadata } from 'openid-client';
import { DomainError } from '../../common/errors/domain-error.js';
import { OptionsService } from '../options/options.service.js';
import type { FlowProof } from './flow-state.js';
import { IdentityFetcher } from './identity-fetcher.js';
import { PROVIDER_FACTS } from './identity-provider.js';
import { type OidcMetadata, OidcMetadataSource, signingAlgorithmsOf } from './oidc-metadata.js';
import { type OutsideProfile, SUBJECT_MAX } from './outside-profile.js';
import { type Callback, type RedirectIdentity, withParameters } from './redirect-identity.js';
import { ReturnAddress } from './return-address.js';

const { label } = PROVIDER_FACTS.oidc;
const SCOPE = 'openid profile email';
/** Nine megabytes, loaded by the first who signs in this way. */
type Library = typeof import('openid-client');

interface Claims {
  readonly sub: string;
  readonly name?: unknown;
  readonly preferred_username?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
}

/** An OpenID Connect provider: code flow with PKCE and nonce, by openid-client. */
@Injectable()
export class OidcIdentity implements RedirectIdentity {
  private readonly logger = new Logger('Identities');

  constructor(
    private readonly options: OptionsService,
    private readonly fetcher: IdentityFetcher,
    private readonly metadata: OidcMetadataSource,
    private readonly returnAddress: ReturnAddress,
  ) {}

  async authorizationUrl(state: string, proof: FlowProof): Promise<string> {
    const options = this.options.values();
    return withParameters(options['oidc.authorization_endpoint'], {
      client_id: options['oidc.client_id'],
      redirect_uri: this.returnAddress.required('oidc'),
      response_type: 'code',
      scope: SCOPE,
      state,
      nonce: proof.nonce,
      code_challenge: createHash('sha256').update(proof.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
  }

  async profileOf(callback: Callback): Promise<OutsideProfile> {
    const returnAddress = this.returnAddress.required('oidc');
    const metadata = await this.discovered();
    const call = new ProviderCall(this.fetcher, metadata === null);
    const oidc = await import('openid-client');
    const config = this.configure(oidc, metadata, call);
    try {
      const claims = await redeem(oidc, config, callback, returnAddress, metadata !== null);
      return profileOf(claims);
    } catch (error) {
      if (call.fault !== undefined) throw call.fault;
      this.logger.warn(`OIDC did not confirm a sign-in: ${describe(error)}`);
      throw new DomainError('identity_refused', { provider: label });
    } finally {
      if (metadata !== null) metadata.keys.cache = oidc.getJwksCache(config) ?? metadata.keys.cache;
    }
  }

  /** Null when no discovery address is set: the endpoints were typed by hand. */
  private async discovered(): Promise<OidcMetadata | null> {
    const wellKnown = this.options.values()['oidc.well_known'];
    if (wellKnown === '') return null;
    const metadata = await this.metadata.of(wellKnown);
    if (metadata.ok) return metadata.value;
    this.logger.warn(`the OIDC discovery document cannot be used: ${metadata.error}`);
    throw new DomainError('identity_unreachable', { provider: label });
  }

  private configure(oidc: Library, metadata: OidcMetadata | null, call: ProviderCall): Configuration {
    const options = this.options.values();
    const secret = options['oidc.client_secret'];
    const tokenEndpoint = options['oidc.token_endpoint'];
    const document = metadata?.document;
    const server: ServerMetadata = {
      issuer: document?.issuer ?? new URL(tokenEndpoint).origin,
      token_endpoint: tokenEndpoint,
      userinfo_endpoint: options['oidc.user_info_endpoint'],
      ...(document === undefined
        ? {}
        : {
            jwks_uri: document.jwks_uri,
            id_token_signing_alg_values_supported: signingAlgorithmsOf(document),
            // A callback that does not name its issuer is refused where it was promised (RFC 9207).
            authorization_response_iss_parameter_supported:
              document.authorization_response_iss_parameter_supported ?? false,
          }),
    };
    const takesPost =
      document?.token_endpoint_auth_methods_supported?.includes('client_secret_post') ??
      document === undefined;
    const authentication = takesPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
    const config = new oidc.Configuration(server, options['oidc.client_id'], secret, authentication);
    config[oidc.customFetch] = (url, request) => call.send(url, request);
    // The outbound policy has the last word on plain http; it lets allowed private hosts through and nobody else.
    if ([tokenEndpoint, document?.jwks_uri ?? ''].some((address) => address.startsWith('http:')))
      oidc.allowInsecureRequests(config);
    if (metadata !== null) {
      oidc.enableNonRepudiationChecks(config);
      if (metadata.keys.cache !== undefined) oidc.setJwksCache(config, metadata.keys.cache);
    }
    return config;
  }
}

/**
 * Exchanges the code, checks the id token (signature, issuer, audience, time, nonce) and asks who it is. Without discovery there are
 * no keys to check an id token by: then the token endpoint's own answer over TLS and the user info count, and no id token.
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
  // The address and whether it is verified are said by one document: the one that names the address.
  const { email, email_verified } = info.email === undefined && claims !== undefined ? claims : info;
  return { ...claims, ...info, email, email_verified, sub: claims?.sub ?? info.sub };
}

function profileOf(claims: Claims): OutsideProfile {
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

/** The requests of one sign-in, through our own HTTP client. */
class ProviderCall {
  /** Why the provider could not be asked; the library would hide it in an error of its own. */
  fault: DomainError | undefined;

  constructor(
    private readonly fetcher: IdentityFetcher,
    private readonly dropsIdTokens: boolean,
  ) {}

  async send(url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> {
    const text =
      body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined;
    try {
      const reply = await this.fetcher.send(label, {
        method: method === 'POST' ? 'POST' : 'GET',
        url,
        headers,
        body: text,
      });
      const type = reply.headers['content-type'];
      const answer = new Response(new Uint8Array(reply.body), {
        status: reply.status,
        headers: { 'content-type': typeof type === 'string' ? type : 'application/json' },
      });
      return this.dropsIdTokens && method === 'POST' && reply.status === 200
        ? await withoutIdToken(answer)
        : answer;
    } catch (error) {
      if (error instanceof DomainError) this.fault = error;
      throw error;
    }
  }
}

async function withoutIdToken(answer: Response): Promise<Response> {
  const { id_token: _unchecked, ...rest } = (await answer.json()) as Record<string, unknown>;
  return Response.json(rest);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** What went wrong, without what the provider sent. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error ? ` (${String(error.code)})` : '';
  return `${error.message.slice(0, 200)}${code}`;
}
