import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Env } from '../../../config/env.js';
import { PendingVerifications } from '../../../infra/pending-verifications/pending-verifications.js';
import { RateLimiter } from '../../../infra/rate-limit/rate-limiter.js';

/** Purpose of a code; it is invalid for another purpose. */
export type CodePurpose = 'register' | 'bind-mail' | 'notification-mail';

/** Purpose and the account it is for: 0 while there is none yet. */
export interface CodeSubject {
  readonly purpose: CodePurpose;
  readonly userId: number;
  /** The folded mail address the code is sent to. */
  readonly address: string;
}

export const CODE_LIFE_MS = 600_000;
const MAX_TRIES = 5;
const CODE_LENGTH = 6;
/** Without I, O, 0 and 1. 32^6 codes and five tries: guessing succeeds once in 200 million. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const entrySchema = z.object({ digest: z.string(), nonce: z.string() });

/**
 * Codes sent by mail. Every instance knows them, as keyed digests; the newest per address and purpose counts, once, and dies
 * after five wrong tries.
 */
@Injectable()
export class OneTimeCodes {
  constructor(
    private readonly steps: PendingVerifications,
    private readonly throttle: RateLimiter,
    private readonly env: Env,
  ) {}

  /** A new code; the one before it is void. */
  async issue(subject: CodeSubject): Promise<string> {
    const nonce = randomBytes(16).toString('hex');
    const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    await this.steps.put(this.keyOf(subject), { digest: this.digestOf(nonce, code), nonce }, CODE_LIFE_MS);
    return code;
  }

  /**
   * Returns whether the code is right; it is used up then.
   * @param typed  letter case and blanks around it do not matter
   */
  async redeem(subject: CodeSubject, typed: string): Promise<boolean> {
    const key = this.keyOf(subject);
    const entry = entrySchema.safeParse(await this.steps.look(key)).data;
    if (entry === undefined) return false;
    const tries = { limit: MAX_TRIES, windowMs: CODE_LIFE_MS };
    const verdict = await this.throttle.ask(`code-tries:${entry.nonce}`, tries);
    if (!verdict.admitted) {
      await this.steps.drop(key);
      return false;
    }
    const given = this.digestOf(entry.nonce, typed.trim().toUpperCase());
    if (!timingSafeEqual(Buffer.from(given), Buffer.from(entry.digest))) return false;
    // Accepts one of two concurrent right codes.
    const taken = entrySchema.safeParse(await this.steps.take(key)).data;
    return taken?.nonce === entry.nonce;
  }

  private keyOf({ purpose, userId, address }: CodeSubject): string {
    return `code:${purpose}:${userId}:${this.mac(`address ${address}`)}`;
  }

  private digestOf(nonce: string, code: string): string {
    return this.mac(`code ${nonce} ${code}`);
  }

  /** Keyed, because a code is short enough to be found from a plain digest. */
  private mac(text: string): string {
    return createHmac('sha256', this.env.cryptoSecret).update(`mail-code ${text}`).digest('hex');
  }
}
