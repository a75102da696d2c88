import { Injectable, Logger } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { digestTokenKey, makeTokenKey, tokenKeyPlace, tokenPepper } from './token-key.js';

/** Makes keys, and turns them into what the table stores: a digest to look them up, a ciphertext to show them again. */
@Injectable()
export class TokenKeys {
  private readonly logger = new Logger(TokenKeys.name);
  private readonly pepper: string;

  constructor(
    env: Env,
    private readonly secrets: SecretBox,
  ) {
    this.pepper = tokenPepper(env.cryptoSecret);
  }

  make(): string {
    return makeTokenKey();
  }

  digest(key: string): string {
    return digestTokenKey(this.pepper, key);
  }

  seal(tokenId: number, key: string): string {
    return this.secrets.seal('token-key', tokenKeyPlace(tokenId), key);
  }

  /** The key in clear; empty when it was sealed under another CRYPTO_SECRET, so that its owner can still delete the token. */
  show(tokenId: number, sealed: string): string {
    // An imported key of which only the SHA-256 is known.
    if (sealed === '') return '';
    try {
      return this.secrets.open('token-key', tokenKeyPlace(tokenId), sealed);
    } catch {
      this.logger.warn(`the key of token ${tokenId} cannot be opened: was CRYPTO_SECRET changed?`);
      return '';
    }
  }
}
