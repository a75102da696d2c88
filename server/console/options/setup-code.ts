import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Env } from '../../config/env.js';

/** The code the set-up page requires: that of the environment, else a generated one in the log. */
@Injectable()
export class SetupCode {
  private readonly logger = new Logger('Setup');
  private isLogged = false;

  constructor(private readonly env: Env) {}

  /** @param isCalledByName  the client used one of our own host names (own-hosts.ts): then only SETUP_TOKEN is required */
  isRequired(isCalledByName: boolean): boolean {
    return this.codeFor(isCalledByName) !== undefined;
  }

  /** Also true when no code is required. */
  matches(given: string, isCalledByName: boolean): boolean {
    const code = this.codeFor(isCalledByName);
    return code === undefined || isSame(given, code);
  }

  /** Writes the code into the log when others than this machine can call. */
  announce(): void {
    if (!this.env.isLoopback && this.env.setupToken === undefined) this.tell();
  }

  /** Undefined = no code is required. */
  private codeFor(isCalledByName: boolean): string | undefined {
    if (this.env.setupToken !== undefined) return this.env.setupToken;
    return isCalledByName ? undefined : this.tell();
  }

  /** Once: at start when other machines can reach the gateway, else at the first request from one. */
  private tell(): string {
    const code = setupCodeOf(this.env.sessionSecret);
    if (!this.isLogged)
      this.logger.log(`set-up code, asked for unless the console is opened at localhost: ${code}`);
    this.isLogged = true;
    return code;
  }
}

/** Without confusable letters. */
const CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 16;

/** The same for every worker and instance, since they share the secret. 80 bits. */
function setupCodeOf(sessionSecret: string): string {
  const bytes = createHmac('sha256', sessionSecret).update('set-up code').digest();
  const letters = Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => CODE_LETTERS[byte % 32]);
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** In constant time, whatever the lengths. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
