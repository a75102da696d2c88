import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { DomainError } from '../../common/errors/domain-error.js';
import { isForeignPassword, verifyForeign } from './foreign-passwords.js';

/** argon2id with 64 MiB and 3 passes. */
const ARGON2 = { algorithm: 2 satisfies Algorithm, memoryCost: 65_536, timeCost: 3, parallelism: 1 };
const MAX_RUNNING = 4;
const MAX_WAITING = 50;
const BUSY_RETRY_MS = 2_000;

/**
 * Hashes and checks passwords on worker threads: few at once, a bounded queue, then 503, so that memory stays bounded. Hashes are
 * made of the composed form (Unicode NFC), because systems send one letter as one character or as two; hashes that were made of
 * another form still match.
 */
@Injectable()
export class PasswordHasher {
  private readonly cost = ARGON2;
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private dummy: Promise<string> | undefined;

  /** Fails: DomainError `server_busy` when the queue is full. */
  async hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password.normalize('NFC'), this.cost));
  }

  /**
   * True when the password fits. An account without a password (null or empty) costs the same time.
   * Fails: DomainError `server_busy` when the queue is full.
   */
  async verify(stored: string | null, password: string): Promise<boolean> {
    return this.inTurn(async () => {
      const hasPassword = stored !== null && stored !== '';
      const hashed = hasPassword ? stored : await this.dummyHash();
      // An imported hash was made of the text as it was typed: one try each, since each is slow.
      if (isForeignPassword(hashed)) return verifyForeign(hashed, password);
      for (const form of formsOf(password)) {
        const fits = await verify(hashed, form);
        if (fits) return hasPassword;
      }
      return false;
    });
  }

  /** Makes the hash that unknown names are compared with, so that the first of them is not slower. */
  async warmUp(): Promise<void> {
    await this.dummyHash();
  }

  private dummyHash(): Promise<string> {
    this.dummy ??= hash(randomBytes(32).toString('hex'), this.cost).catch((error: unknown) => {
      this.dummy = undefined;
      throw error;
    });
    return this.dummy;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= MAX_RUNNING) {
      if (this.waiting.length >= MAX_WAITING) throw new DomainError('server_busy', {}, BUSY_RETRY_MS);
      // A finished job hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else {
      this.running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}

/** The composed form first; as it was typed and decomposed for older hashes. One for nearly every password. */
const formsOf = (password: string): Set<string> =>
  new Set([password.normalize('NFC'), password, password.normalize('NFD')]);
