import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../auth/decorators/current-actor.js';
import { Throttle } from '../auth/throttle.js';
import { usableGroupsOf } from '../options/groups.js';
import { OptionsService } from '../options/options.service.js';

/** The console creates up to 100 tokens at once, one call each; beyond that a minute's pause is asked for (TOK-07). */
const CREATION_RATE = { limit: 120, windowMs: 60_000 };

/** What the operator allows owners of tokens. */
@Injectable()
export class TokenPolicy {
  constructor(
    private readonly options: OptionsService,
    private readonly throttle: Throttle,
  ) {}

  /** Groups the actor may name in a token: those open to users, and always the own one. */
  usableGroups(actor: Actor): ReadonlySet<string> {
    return new Set([...usableGroupsOf(this.options.values(), actor.group).keys(), actor.group]);
  }

  /** Fails: too_many_requests. */
  async admitCreation(actor: Actor): Promise<void> {
    await this.throttle.admit(`token-create:${actor.id}`, CREATION_RATE);
  }

  /** Fails: token_limit_reached. */
  checkCount(owned: number): void {
    const max = this.options.values()['token_setting.max_user_tokens'];
    if (owned >= max) throw new DomainError('token_limit_reached', { max });
  }
}
