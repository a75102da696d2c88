import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../common/errors/domain-error.js';
import { networkOf } from '../../common/client-network.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';

const WINDOW_MS = 1_200_000;
/** Flows one network may begin, and those that may fail. Offices share an address, so what succeeds is not counted. */
const STARTS = { limit: 120, windowMs: WINDOW_MS };
const FAILURES = { limit: 30, windowMs: WINDOW_MS };
/** Codes typed for WeChat: short enough to be guessed. */
const CODES = { limit: 10, windowMs: 600_000 };
const RETRY_MS = 60_000;

/** Slows down repeated external sign-ins. */
@Injectable()
export class IdentityAttempts {
  constructor(private readonly throttle: RateLimiter) {}

  async start(ip: string): Promise<void> {
    await this.throttle.admit(`identity:starts:${networkOf(ip)}`, STARTS);
  }

  /** @param userId  account to bind; undefined while signing in */
  async typedCode(ip: string, userId?: number): Promise<void> {
    await this.throttle.admit(`identity:codes:${networkOf(ip)}`, CODES);
    if (userId !== undefined) await this.throttle.admit(`identity:codes:user:${userId}`, CODES);
  }

  /** Runs one attempt; refusals of it are counted. Fails: `too_many_requests` once there were too many, else as `attempt`. */
  async run<T>(ip: string, attempt: () => Promise<T>): Promise<T> {
    const key = `identity:failures:${networkOf(ip)}`;
    if ((await this.throttle.count(key, FAILURES.windowMs)) >= FAILURES.limit)
      throw new DomainError('too_many_requests', {}, RETRY_MS);
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof DomainError) await this.throttle.record(key, FAILURES.windowMs);
      throw error;
    }
  }
}

/**
 * False when another site's page made the request, or a link. These addresses sign in by GET, which a page elsewhere could do with
 * its own code to sign a visitor in to its own account.
 */
export function assertOwnPage(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new DomainError('foreign_origin');
}
