import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../../base/access/current-actor.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { usableGroupsOf } from '../../base/options/groups.js';
import { OptionsService } from '../../base/options/options.service.js';
import { AccountsService } from '../../base/users/accounts.service.js';

/** The console creates up to 100 tokens at once, one call each; more than that have to wait a minute. */
const CREATION_RATE = { limit: 120, windowMs: 60_000 };

/** Operator's limits for owners of tokens. */
@Injectable()
export class TokenPolicy {
  constructor(
    private readonly options: OptionsService,
    private readonly throttle: RateLimiter,
    private readonly accounts: AccountsService,
  ) {}

  /** Groups the actor may name in a token: those open to users, and always the own one. */
  usableGroups(actor: Actor): ReadonlySet<string> {
    return new Set([...usableGroupsOf(this.options.values(), actor.group).keys(), actor.group]);
  }

  /** Fails: too_many_requests. */
  async admitCreation(actor: Actor): Promise<void> {
    await this.throttle.admit(`token-create:${actor.id}`, CREATION_RATE);
  }

  /**
   * Keeps the account's other creations waiting until this one is committed: of many at once each counts those before it.
   * Fails: token_limit_reached, user_not_found.
   */
  async assertBelowLimit(
    manager: EntityManager,
    actor: Actor,
    countOwned: (manager: EntityManager) => Promise<number>,
  ): Promise<void> {
    await this.accounts.lock(manager, actor.id);
    const max = this.options.values()['token_setting.max_user_tokens'];
    if ((await countOwned(manager)) >= max) throw new DomainError('token_limit_reached', { max });
  }

  /**
   * Locks the account that tokens come back to, until the transaction ends.
   * Fails: token_limit_reached, restore_owner_deregistered.
   */
  async assertRoom(
    manager: EntityManager,
    userId: number,
    tokens: { readonly wanted: number; readonly countOwned: () => Promise<number> },
  ): Promise<void> {
    if (await this.accounts.isGone(manager, userId)) throw new DomainError('restore_owner_deregistered');
    const max = this.options.values()['token_setting.max_user_tokens'];
    if ((await tokens.countOwned()) + tokens.wanted > max)
      throw new DomainError('token_limit_reached', { max });
  }
}
