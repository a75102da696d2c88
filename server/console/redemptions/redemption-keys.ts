import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { SecretBox } from '../../infra/crypto/secret-box.js';

/** Bytes of a code: 128 random bits. */
const CODE_BYTES = 16;
/** Longer texts are no code of ours and of no gateway of this family. */
const MAX_CODE_CHARACTERS = 64;
const OWN_FORM = /^[0-9a-f]{32}$/i;

/**
 * A code as typed or pasted: without blanks, and our own codes in lower case.
 * @returns null for a text that cannot be a code
 */
export function readCode(typed: string): string | null {
  const code = typed.replace(/\s+/g, '');
  if (code === '' || code.length > MAX_CODE_CHARACTERS) return null;
  return OWN_FORM.test(code) ? code.toLowerCase() : code;
}

/** Makes codes, and turns them into what the table stores: a digest to look them up, a ciphertext to show them again. */
@Injectable()
export class RedemptionKeys {
  private readonly logger = new Logger('Redemptions');
  private readonly pepper: Buffer;

  constructor(
    env: Env,
    private readonly secrets: SecretBox,
  ) {
    this.pepper = Buffer.from(hkdfSync('sha256', env.cryptoSecret, 'tollgate', 'redemption-pepper', 32));
  }

  /** 32 hexadecimal digits. */
  make(): string {
    return randomBytes(CODE_BYTES).toString('hex');
  }

  /** Hexadecimal, 64 characters. */
  digest(code: string): string {
    return createHmac('sha256', this.pepper).update(code).digest('hex');
  }

  seal(digest: string, code: string): string {
    return this.secrets.seal('redemption-key', placeOf(digest), code);
  }

  /** The code in clear; empty when it was sealed under another CRYPTO_SECRET, so that the row can still be deleted. */
  show(digest: string, sealed: string): string {
    try {
      return this.secrets.open('redemption-key', placeOf(digest), sealed);
    } catch {
      this.logger.warn('a redemption code cannot be opened: was CRYPTO_SECRET changed?');
      return '';
    }
  }
}

const placeOf = (digest: string): string => `redemptions|key_encrypted|${digest}`;
