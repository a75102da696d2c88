import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../common/errors/domain-error.js';
import { Env } from '../../config/env.js';
import { ACCESS_KEY, type AccessLevel, isByRole } from '../access/access.js';
import type { RequestWithActor } from '../access/current-actor.js';
import { OPEN_WITHOUT_DATABASE_KEY } from '../access/open-without-database.js';
import { CALLER_COUNTS_KEY } from '../access/throttle-groups.js';
import { OptionsService } from '../options/options.service.js';
import { type Identity, IdentityService } from './identity.service.js';
import { isOwnOrigin } from './request-origin.js';
import { readSessionCookie } from './session-cookie.js';
import { SlowDatabase } from './slow-database.js';

const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const isReading = (request: FastifyRequest): boolean => READING_METHODS.has(request.method);

/** Identity of the caller, for the guards after this one; null = unknown caller, or the route does not identify callers. */
export interface RequestWithIdentity extends RequestWithActor {
  identity?: Identity | null;
}

/** Identifies the caller. Guards after it decide whether the call may pass: ConsoleThrottlerGuard by rate, AccessGuard by role. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly identities: IdentityService,
    private readonly options: OptionsService,
    private readonly env: Env,
    private readonly slowDatabase: SlowDatabase,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & RequestWithIdentity>();
    const targets = [context.getHandler(), context.getClass()];
    const says = (key: string): boolean =>
      this.reflector.getAllAndOverride<boolean | undefined>(key, targets) === true;
    const level = this.reflector.getAllAndOverride<AccessLevel | undefined>(ACCESS_KEY, targets);
    if (level === undefined)
      throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access level`);
    if (isReading(request)) this.slowDatabase.assertMayRead(request.url);
    // Payment services do not sign in: their signature is what counts.
    if (level !== 'notify' && (!isReading(request) || isByRole(level))) this.assertOwnOrigin(request);

    if (level === 'guest' || isByRole(level))
      request.identity = await this.identify(request, says(OPEN_WITHOUT_DATABASE_KEY));
    else request.identity = says(CALLER_COUNTS_KEY) ? await this.recognise(request) : null;
    request.callerId = request.identity?.account.id;
    return true;
  }

  private async identify(request: FastifyRequest, withoutDatabase: boolean): Promise<Identity | null> {
    const sessionId = readSessionCookie(request);
    const bySession = sessionId === null ? null : await this.identities.ofSession(sessionId, withoutDatabase);
    if (bySession !== null) return bySession;
    const token = readAccessToken(request);
    return token === null ? null : this.identities.ofAccessToken(token, withoutDatabase);
  }

  /** On a public route: it answers also when the caller cannot be identified. */
  private async recognise(request: FastifyRequest): Promise<Identity | null> {
    const sessionId = readSessionCookie(request);
    if (sessionId === null || this.slowDatabase.isDegraded) return null;
    return this.identities.ofSession(sessionId, true).catch(() => null);
  }

  private assertOwnOrigin(request: FastifyRequest): void {
    const { origin, 'sec-fetch-site': fetchSite } = request.headers;
    const addresses = [this.env.serverAddress, this.options.values().ServerAddress].filter(
      (address) => address !== undefined,
    );
    const source = {
      origin,
      fetchSite: typeof fetchSite === 'string' ? fetchSite : undefined,
      host: request.host,
      protocol: request.protocol,
    };
    if (!isOwnOrigin(source, addresses)) throw new DomainError('foreign_origin');
  }
}

/** The system access token, with or without the word Bearer. API token keys (`sk-…`) are something else. */
function readAccessToken(request: FastifyRequest): string | null {
  const token = request.headers.authorization?.replace(/^Bearer\s+/i, '').trim() ?? '';
  return /^[A-Za-z0-9+/=_-]{28,64}$/.test(token) && !token.startsWith('sk-') ? token : null;
}
