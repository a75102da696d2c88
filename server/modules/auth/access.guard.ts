import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../common/errors/domain-error.js';
import { Env } from '../../config/env.js';
import { OptionsService } from '../options/options.service.js';
import { ROLE, USER_STATUS } from '../access/user.codes.js';
import { BehindDatabase } from './behind-database.js';
import { networkOf } from '../../common/client-network.js';
import { ACCESS_KEY, type AccessLevel } from '../access/access.js';
import type { Actor, RequestWithActor } from '../access/current-actor.js';
import { FRESH_LOGIN_KEY } from '../access/needs-fresh-login.js';
import { OPEN_IN_DEMO_KEY } from '../access/open-in-demo.js';
import { OPEN_WHILE_BEHIND_KEY } from '../access/open-while-behind.js';
import { OPEN_WITH_KNOWN_PASSWORD_KEY } from '../access/open-with-known-password.js';
import { OPEN_WITHOUT_DATABASE_KEY } from '../access/open-without-database.js';
import { type Identity, IdentityService } from './identity.service.js';
import { StepUpAuth } from './step-up.service.js';
import { isOwnOrigin } from './request-origin.js';
import { readSessionCookie } from './session-cookie.js';
import { SlowDatabase } from './slow-database.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';

const MINIMUM_ROLE: Partial<Record<AccessLevel, number>> = {
  user: ROLE.user,
  admin: ROLE.admin,
  root: ROLE.root,
};
const KNOWN_ROLES = new Set<number>(Object.values(ROLE));
const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const API_WINDOW_MS = 180_000;
/** Signed-in people may do more than the guests behind one address. */
const SIGNED_IN_FACTOR = 10;
/** One address of a payment service speaks for all its payers. */
const NOTIFY_FACTOR = 20;

/** Decides who may call a console route, from the access level the handler declares. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly identities: IdentityService,
    private readonly throttle: RateLimiter,
    private readonly options: OptionsService,
    private readonly proofs: StepUpAuth,
    private readonly env: Env,
    private readonly slowDatabase: SlowDatabase,
    private readonly behindDatabase: BehindDatabase,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & RequestWithActor>();
    const targets = [context.getHandler(), context.getClass()];
    const level = this.reflector.getAllAndOverride<AccessLevel | undefined>(ACCESS_KEY, targets);
    if (level === undefined)
      throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access level`);
    const minimumRole = MINIMUM_ROLE[level];
    const isReading = READING_METHODS.has(request.method);
    if (isReading) this.slowDatabase.assertMayRead(request.url);
    // Payment services are strangers by nature: their signature is what counts.
    if (level !== 'notify' && (!isReading || minimumRole !== undefined)) this.assertOwnOrigin(request);

    const identity =
      level === 'guest' || minimumRole !== undefined ? await this.identify(request, targets) : null;
    await this.limit(request, identity, level === 'notify' ? NOTIFY_FACTOR : 1);
    const isHeldBack =
      identity?.mustChangePassword === true &&
      this.reflector.getAllAndOverride<boolean | undefined>(OPEN_WITH_KNOWN_PASSWORD_KEY, targets) !== true;
    if (minimumRole === undefined) {
      const isActive = level === 'guest' && identity?.account.status === USER_STATUS.active;
      if (isActive && !isHeldBack) request.actor = toActor(identity);
    } else {
      request.actor = this.admit(request, identity, minimumRole);
      if (isHeldBack) throw new DomainError('password_change_required');
    }
    if (this.reflector.getAllAndOverride<boolean | undefined>(OPEN_WHILE_BEHIND_KEY, targets) !== true)
      this.behindDatabase.assertMayCall({ level, isReading, role: request.actor?.role });
    const needsFreshLogin =
      this.proofs.isRequired &&
      this.reflector.getAllAndOverride<boolean | undefined>(FRESH_LOGIN_KEY, targets) === true;
    if (needsFreshLogin && request.actor !== undefined) await this.proofs.assertFresh(request.actor);
    const isOpenInDemo =
      this.reflector.getAllAndOverride<boolean | undefined>(OPEN_IN_DEMO_KEY, targets) ?? false;
    if (
      !isReading &&
      !isOpenInDemo &&
      this.options.values().DemoSiteEnabled &&
      request.actor?.role !== ROLE.root
    ) {
      throw new DomainError('demo_site');
    }
    return true;
  }

  /**
   * Signed in, `New-Api-User` names the same account, not banned, role high enough. The order is fixed: clients tell the
   * refusals apart.
   */
  private admit(request: FastifyRequest, identity: Identity | null, minimumRole: number): Actor {
    if (identity === null) throw new DomainError('not_signed_in');
    const { account } = identity;
    if (claimedUserId(request) !== account.id) throw new DomainError('not_signed_in');
    if (account.status !== USER_STATUS.active) throw new DomainError('account_banned');
    if (account.role < minimumRole || account.username === '' || !KNOWN_ROLES.has(account.role)) {
      throw new DomainError('not_permitted');
    }
    return toActor(identity);
  }

  private async identify(
    request: FastifyRequest,
    targets: Parameters<Reflector['getAllAndOverride']>[1],
  ): Promise<Identity | null> {
    const withoutDatabase =
      this.reflector.getAllAndOverride<boolean | undefined>(OPEN_WITHOUT_DATABASE_KEY, targets) === true;
    const sessionId = readSessionCookie(request);
    const bySession = sessionId === null ? null : await this.identities.ofSession(sessionId, withoutDatabase);
    if (bySession !== null) return bySession;
    const token = readAccessToken(request);
    return token === null ? null : this.identities.ofAccessToken(token, withoutDatabase);
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
    };
    if (!isOwnOrigin(source, addresses)) throw new DomainError('foreign_origin');
  }

  /** @param factor  how many guests stand behind the address */
  private async limit(request: FastifyRequest, identity: Identity | null, factor: number): Promise<void> {
    const { apiRateLimit } = this.env;
    if (apiRateLimit === 0) return;
    if (identity === null) {
      await this.throttle.admit(`api:address:${networkOf(request.ip)}`, {
        limit: apiRateLimit * factor,
        windowMs: API_WINDOW_MS,
        isFrequent: true,
      });
    } else {
      const limit = apiRateLimit * SIGNED_IN_FACTOR;
      await this.throttle.admit(`api:user:${identity.account.id}`, {
        limit,
        windowMs: API_WINDOW_MS,
        isFrequent: true,
      });
    }
  }
}

/** The id in `New-Api-User`, or NaN. A repeated header is no id. */
export function claimedUserId(request: FastifyRequest): number {
  const header = request.headers['new-api-user'];
  return typeof header === 'string' && /^[1-9]\d{0,14}$/.test(header.trim()) ? Number(header) : Number.NaN;
}

/** The system access token, with or without the word Bearer. API token keys (`sk-…`) are something else. */
function readAccessToken(request: FastifyRequest): string | null {
  const token = request.headers.authorization?.replace(/^Bearer\s+/i, '').trim() ?? '';
  return /^[A-Za-z0-9+/=_-]{28,64}$/.test(token) && !token.startsWith('sk-') ? token : null;
}

function toActor({ account, sessionDigest }: Identity): Actor {
  const { id, username, role, group } = account;
  return {
    id,
    username,
    role,
    group,
    sessionDigest,
    way: sessionDigest === null ? 'access-token' : 'session',
  };
}
