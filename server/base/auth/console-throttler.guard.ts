import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  ThrottlerStorage,
} from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../common/client-network.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Env } from '../../config/env.js';
import type { RequestWithActor } from '../access/current-actor.js';
import { CONSOLE_MULTIPLE, THROTTLERS } from '../access/throttle-groups.js';

const WINDOW_MS = 180_000;
/** A route that does not declare the group has no limit by it. */
const UNLIMITED = Number.POSITIVE_INFINITY;

/** The groups of throttle-groups.ts. Callers get the message and `Retry-After` of a refusal, nothing else. */
export const CONSOLE_THROTTLERS: Exclude<ThrottlerModuleOptions, readonly unknown[]> = {
  throttlers: [
    { name: THROTTLERS.console, ttl: WINDOW_MS, limit: CONSOLE_MULTIPLE },
    { name: THROTTLERS.pageReads, ttl: WINDOW_MS, limit: UNLIMITED },
    { name: THROTTLERS.payments, ttl: WINDOW_MS, limit: UNLIMITED },
  ],
  setHeaders: false,
};

/** Rate limits of the console API: by account where it is known (CallerGuard), by network otherwise. */
@Injectable()
export class ConsoleThrottlerGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly env: Env,
  ) {
    super(options, storage, reflector);
  }

  protected override async shouldSkip(): Promise<boolean> {
    return this.env.apiRateLimit === 0;
  }

  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    if (request.limit === UNLIMITED) return true;
    return super.handleRequest({ ...request, limit: request.limit * this.env.apiRateLimit });
  }

  protected override async getTracker(request: FastifyRequest & RequestWithActor): Promise<string> {
    return request.callerId === undefined ? `address:${networkOf(request.ip)}` : `user:${request.callerId}`;
  }

  /** Instances of other versions count under the same names. */
  protected override generateKey(_context: ExecutionContext, tracker: string, throttler: string): string {
    return throttler === THROTTLERS.pageReads ? `api:pages:${tracker}` : `api:${tracker}`;
  }

  protected override async throwThrottlingException(
    _context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    throw new DomainError('too_many_requests', {}, timeToBlockExpire * 1000);
  }
}
