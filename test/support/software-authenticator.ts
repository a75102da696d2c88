import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/**
 * An authenticator in software that does what browsers and security keys do in the two WebAuthn ceremonies: ES256 keys, attestation
 * "none", credentials that carry their user's handle. Its members can be bent, to see what a server lets through.
 */
export class SoftwareAuthenticator {
  readonly credentials: StoredCredential[] = [];
  /** Deviation of the next ceremony from an honest one. */
  bend: Bend = {};

  /** @param origin  of the page that asks */
  constructor(private readonly origin: string) {}

  /** navigator.credentials.create(), as JSON. */
  create(options: CreationOptions): Record<string, unknown> {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const credential: StoredCredential = {
      id: randomBytes(32).toString('base64url'),
      rpId: options.rp.id,
      userHandle: options.user.id,
      privateKey,
      counter: 0,
    };
    this.credentials.push(credential);
    const data = this.authenticatorData(credential, coseKeyOf(publicKey));
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]),
    );
    const clientData = this.clientData('webauthn.create', options.challenge);
    return {
      ...this.envelope(credential),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
    };
  }

  /** navigator.credentials.get(), as JSON. Fails: when it holds no passkey for the relying party. */
  get(options: RequestOptions): Record<string, unknown> {
    const allowed = options.allowCredentials?.map(({ id }) => id);
    const credential = this.credentials.find(
      ({ id, rpId }) => rpId === options.rpId && (allowed === undefined || allowed.includes(id)),
    );
    if (credential === undefined) throw new Error(`no passkey for ${options.rpId}`);
    const data = this.authenticatorData(credential, null);
    const clientData = this.clientData('webauthn.get', options.challenge);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    const signature = createSign('sha256').update(signed).sign(credential.privateKey);
    if (this.bend.signature === true) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
    const userHandle = this.bend.userHandle === undefined ? credential.userHandle : this.bend.userHandle;
    return {
      ...this.envelope(credential),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle,
      },
    };
  }

  private envelope({ id }: StoredCredential): Record<string, unknown> {
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
    };
  }

  private clientData(type: string, challenge: string): Buffer {
    const { origin = this.origin, challenge: other = challenge, type: otherType = type } = this.bend;
    return Buffer.from(JSON.stringify({ type: otherType, challenge: other, origin, crossOrigin: false }));
  }

  private authenticatorData(credential: StoredCredential, publicKey: Buffer | null): Buffer {
    const { rpId = credential.rpId, isVerified = true, isPresent = true, counter } = this.bend;
    credential.counter =
      counter ?? (credential.counter === 0 && publicKey !== null ? 0 : credential.counter + 1);
    const flags = (isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0) | (publicKey === null ? 0 : 0x40);
    const head = Buffer.alloc(37);
    createHash('sha256').update(rpId).digest().copy(head);
    head.writeUInt8(flags, 32);
    head.writeUInt32BE(credential.counter, 33);
    if (publicKey === null) return head;
    const id = Buffer.from(credential.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    return Buffer.concat([head, Buffer.alloc(16), length, id, publicKey]);
  }
}

export interface Bend {
  readonly origin?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly counter?: number;
  readonly signature?: true;
  /** null = none */
  readonly userHandle?: string | null;
}

export interface StoredCredential {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  counter: number;
}

export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly excludeCredentials?: readonly { readonly id: string }[];
  readonly [member: string]: unknown;
}

export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly allowCredentials?: readonly { readonly id: string }[];
  readonly [member: string]: unknown;
}

/** COSE_Key of a P-256 key (RFC 9053). */
function coseKeyOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}

/** The few kinds of CBOR (RFC 8949) a ceremony needs: small integers, texts, bytes, maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  if (value instanceof Map) {
    const members = [...value].flatMap(([name, member]) => [cbor(name), cbor(member)]);
    return Buffer.concat([cborHead(5, value.size), ...members]);
  }
  throw new TypeError(`not needed in a ceremony: ${typeof value}`);
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}
