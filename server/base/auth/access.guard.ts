import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../common/errors/domain-error.js';
import { OptionsService } from '../options/options.service.js';
import { ROLE, USER_STATUS } from '../access/user.codes.js';
import { DatabaseBehindPolicy } from './database-behind-policy.js';
import { ACCESS_KEY, type AccessLevel, isByRole } from '../access/access.js';
import type { Actor } from '../access/current-actor.js';
import { FRESH_LOGIN_KEY } from '../access/needs-fresh-login.js';
import { OPEN_IN_DEMO_KEY } from '../access/open-in-demo.js';
import { OPEN_WHILE_DATABASE_BEHIND_KEY } from '../access/open-while-database-behind.js';
import { OPEN_WITH_KNOWN_PASSWORD_KEY } from '../access/open-with-known-password.js';
import { isReading, type RequestWithIdentity } from './caller.guard.js';
import type { Identity } from './identity.service.js';
import { StepUpAuth } from './step-up.service.js';

const KNOWN_ROLES = new Set<number>(Object.values(ROLE));

/** Decides who may call a console route, from the access level the handler declares. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly options: OptionsService,
    private readonly proofs: StepUpAuth,
    private readonly behindDatabase: DatabaseBehindPolicy,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest & RequestWithIdentity>();
    const targets = [context.getHandler(), context.getClass()];
    const level = this.reflector.getAllAndOverride<AccessLevel | undefined>(ACCESS_KEY, targets);
    if (level === undefined)
      throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access level`);
    const identity = request.identity ?? null;
    const reads = isReading(request);
    const isHeldBack =
      identity?.mustChangePassword === true &&
      this.reflector.getAllAndOverride<boolean | undefined>(OPEN_WITH_KNOWN_PASSWORD_KEY, targets) !== true;
    if (!isByRole(level)) {
      const isActive = level === 'guest' && identity?.account.status === USER_STATUS.active;
      if (isActive && !isHeldBack) request.actor = toActor(identity);
    } else {
      request.actor = this.admit(request, identity, ROLE[level]);
      if (isHeldBack) throw new DomainError('password_change_required');
    }
    if (
      this.reflector.getAllAndOverride<boolean | undefined>(OPEN_WHILE_DATABASE_BEHIND_KEY, targets) !== true
    )
      this.behindDatabase.assertMayCall({ level, isReading: reads, role: request.actor?.role });
    const needsFreshLogin =
      this.proofs.isRequired &&
      this.reflector.getAllAndOverride<boolean | undefined>(FRESH_LOGIN_KEY, targets) === true;
    if (needsFreshLogin && request.actor !== undefined) await this.proofs.assertFresh(request.actor);
    const isOpenInDemo =
      this.reflector.getAllAndOverride<boolean | undefined>(OPEN_IN_DEMO_KEY, targets) ?? false;
    if (
      !reads &&
      !isOpenInDemo &&
      this.options.values().DemoSiteEnabled &&
      request.actor?.role !== ROLE.root
    ) {
      throw new DomainError('demo_site');
    }
    return true;
  }

  /**
   * Signed in, `New-Api-User` names the same account, not banned, role high enough. The order is fixed: clients distinguish the
   * refusals.
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
}

/** The id in `New-Api-User`, or NaN. A repeated header is no id. */
export function claimedUserId(request: FastifyRequest): number {
  const header = request.headers['new-api-user'];
  return typeof header === 'string' && /^[1-9]\d{0,14}$/.test(header.trim()) ? Number(header) : Number.NaN;
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
