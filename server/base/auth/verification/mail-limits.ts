import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { networkOf } from '../../../common/client-network.js';
import { secondsToWait } from '../../../common/retry-after.js';
import { type Rate, RateLimiter } from '../../../infra/rate-limit/rate-limiter.js';

const HOUR_MS = 3_600_000;
/** The console counts 30 seconds down before it allows another request. */
const RESEND: Rate = { limit: 1, windowMs: 30_000 };
const PER_ADDRESS: Rate = { limit: 5, windowMs: HOUR_MS };
const PER_NETWORK: Rate = { limit: 20, windowMs: HOUR_MS };
/** Upper bound over all recipients: this server must not become a mail cannon. */
const ALTOGETHER: Rate = { limit: 2_000, windowMs: HOUR_MS };

/**
 * The mailbox an address most likely ends in: many servers deliver `a.b+anything@` where `ab@` goes. Two people who share a count
 * because of it wait a little; one mailbox must not be flooded by its spellings.
 */
export function mailboxOf(folded: string): string {
  const at = folded.lastIndexOf('@');
  const local = at < 0 ? folded : folded.slice(0, at);
  const [name = ''] = local.split('+', 1);
  const domain = at < 0 ? '' : folded.slice(at).replace(/^@googlemail\.com$/, '@gmail.com');
  return `${name.replaceAll('.', '') || local}${domain}`;
}

/** Limits mail caused by guests. Known and unknown addresses count alike. */
@Injectable()
export class MailLimits {
  constructor(private readonly throttle: RateLimiter) {}

  /** Fails: DomainError `mail_too_often`, `too_many_requests`. */
  async admit(foldedAddress: string, ip: string): Promise<void> {
    await this.throttle.admit(`mail:network:${networkOf(ip)}`, PER_NETWORK);
    const waitMs = await this.waitFor(foldedAddress);
    if (waitMs > 0) throw new DomainError('mail_too_often', { seconds: secondsToWait(waitMs) }, waitMs);
    await this.throttle.admit('mail:all', ALTOGETHER);
  }

  /** Limit of the mailbox alone, for a caller who did not type its address and must not learn it. */
  async mayWriteTo(foldedAddress: string): Promise<boolean> {
    return (await this.waitFor(foldedAddress)) === 0;
  }

  /** Milliseconds; 0 = a mail may be sent, and is counted. */
  private async waitFor(foldedAddress: string): Promise<number> {
    const address = createHash('sha256').update(mailboxOf(foldedAddress)).digest('hex').slice(0, 32);
    for (const [name, rate] of [
      ['resend', RESEND],
      ['address', PER_ADDRESS],
    ] as const) {
      const verdict = await this.throttle.ask(`mail:${name}:${address}`, rate);
      if (!verdict.admitted) return verdict.retryAfterMs;
    }
    return 0;
  }
}
