import { getOrAdd } from '../../common/get-or-add.js';
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Purpose of a ciphertext. Each purpose has its own key, so that one cannot be read as another. */
export type SecretPurpose =
  | 'channel-key'
  | 'token-key'
  | 'option'
  | 'option-cache'
  | 'check'
  | 'totp'
  | 'recovery-code'
  | 'passkey-user'
  | 'audit'
  | 'redemption-key'
  | 'log-cursor'
  | 'weekly-email'
  | 'vendor-account';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets at rest: AES-256-GCM under keys derived from CRYPTO_SECRET, text form `v1.nonce.ciphertext.tag`.
 * `place` (table, column, owner) is authenticated, so that a ciphertext moved to another row does not open.
 */
export class SecretBox {
  private readonly keys = new Map<SecretPurpose, Buffer>();

  constructor(private readonly secret: string) {}

  seal(purpose: SecretPurpose, place: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyFor(purpose), nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return [VERSION, ...[nonce, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join(
      '.',
    );
  }

  /** Fails: throws when the text was not sealed for this purpose and place, or by another CRYPTO_SECRET. */
  open(purpose: SecretPurpose, place: string, sealed: string): string {
    const [version, nonce, text, tag] = sealed.split('.');
    if (version !== VERSION || nonce === undefined || text === undefined || tag === undefined) {
      throw new Error('not a sealed secret');
    }
    const decipher = createDecipheriv('aes-256-gcm', this.keyFor(purpose), Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(place))
      .setAuthTag(Buffer.from(tag, 'base64url'));
    return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString(
      'utf8',
    );
  }

  /** Keyed digest (HMAC-SHA-256) of a text, under the key of its purpose. */
  sign(purpose: SecretPurpose, text: string): Buffer {
    return createHmac('sha256', this.keyFor(purpose)).update(text).digest();
  }

  private keyFor(purpose: SecretPurpose): Buffer {
    return getOrAdd(this.keys, purpose, () =>
      Buffer.from(hkdfSync('sha256', this.secret, 'tollgate', purpose, 32)),
    );
  }
}
