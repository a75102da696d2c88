import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { CLIENT } from './scripted-oauth.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export type Algorithm = 'RS256' | 'PS256' | 'ES384' | 'EdDSA' | 'none' | 'HS256';

/** False statements of a token. */
export interface Forgery {
  readonly algorithm?: Algorithm;
  /** Members of the user info to replace. */
  readonly info?: Readonly<Record<string, unknown>>;
  /** Signed by a key the provider does not publish. */
  readonly hasForeignKey?: boolean;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** `sub` of the user info. */
  readonly infoSub?: string;
  readonly withoutIdToken?: boolean;
}

/** An OIDC provider that signs whatever the test wants: for answers a real one refuses to give. */
export class ForgingProvider {
  forgery: Forgery = {};
  nonce = '';
  /** Members of the discovery document to replace. */
  document: Readonly<Record<string, unknown>> = {};
  issuer = '';
  private readonly published = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly curve = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  private readonly edwards = generateKeyPairSync('ed25519');
  private readonly foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly server: Server = createServer((request, reply) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const body = this.answer(path);
    reply
      .writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? {}));
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    this.issuer = `http://127.0.0.1:${address.port}`;
    return this;
  }

  get wellKnown(): string {
    return `${this.issuer}/.well-known/openid-configuration`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private answer(path: string): unknown {
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/auth`,
          token_endpoint: `${this.issuer}/token`,
          userinfo_endpoint: `${this.issuer}/me`,
          jwks_uri: `${this.issuer}/jwks`,
          token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
          ...this.document,
        };
      case '/jwks':
        return {
          keys: [
            { ...this.published.publicKey.export({ format: 'jwk' }), kid: 'RS256', use: 'sig' },
            { ...this.published.publicKey.export({ format: 'jwk' }), kid: 'PS256', use: 'sig' },
            { ...this.curve.publicKey.export({ format: 'jwk' }), kid: 'ES384', use: 'sig' },
            { ...this.edwards.publicKey.export({ format: 'jwk' }), kid: 'EdDSA', use: 'sig' },
          ],
        };
      case '/token':
        return {
          access_token: 'access',
          token_type: 'Bearer',
          ...(this.forgery.withoutIdToken === true ? {} : { id_token: this.idToken() }),
        };
      case '/me':
        return {
          sub: this.forgery.infoSub ?? 'somebody',
          preferred_username: 'some.body',
          email: 'some@mail.test',
          email_verified: true,
          ...this.forgery.info,
        };
      default:
        return undefined;
    }
  }

  private idToken(): string {
    const { algorithm = 'RS256', hasForeignKey = false, claims = {} } = this.forgery;
    const now = Math.floor(Date.now() / 1000);
    const header = encode({ alg: algorithm, kid: algorithm === 'HS256' ? 'RS256' : algorithm });
    const payload = encode({
      iss: this.issuer,
      aud: CLIENT.id,
      sub: 'somebody',
      iat: now,
      exp: now + 300,
      nonce: this.nonce,
      ...claims,
    });
    const key = hasForeignKey ? this.foreign : this.keyOf(algorithm);
    return `${header}.${payload}.${signatureOf(`${header}.${payload}`, algorithm, key.privateKey)}`;
  }

  private keyOf(algorithm: Algorithm): { readonly privateKey: KeyObject } {
    if (algorithm === 'ES384') return this.curve;
    return algorithm === 'EdDSA' ? this.edwards : this.published;
  }
}

function signatureOf(text: string, algorithm: Algorithm, key: KeyObject): string {
  if (algorithm === 'none') return '';
  if (algorithm === 'HS256') return createHmac('sha256', CLIENT.secret).update(text).digest('base64url');
  const bytes = Buffer.from(text);
  switch (algorithm) {
    case 'PS256':
      return sign('sha256', bytes, {
        key,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
      }).toString('base64url');
    case 'ES384':
      return sign('sha384', bytes, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
    case 'EdDSA':
      return sign(null, bytes, key).toString('base64url');
    case 'RS256':
      return sign('sha256', bytes, key).toString('base64url');
  }
}
