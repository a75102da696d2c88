import { Injectable } from '@nestjs/common';
import type { Actor } from '../../base/access/current-actor.js';
import { LimitCache } from '../../base/limits/limit-cache.js';
import { isShared, type LimitDefinition } from '../../base/limits/limit-definition.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import { LimitUses, type LimitUseNow } from '../../base/limits/limit-uses.js';
import type { OwnLimitView } from './dto/limit.dto.js';
import { LimitPermissions } from './limit-permissions.js';
import { LimitSubjects } from './limit-subjects.js';
import { LimitsRepository } from './limits.repository.js';
import { presentLimit, presentUse } from './present-limit.js';

/** Most values of one limit that an answer names. */
const MAX_VALUES = 200;

/** Calls of an account, by any of its tokens that are named. */
interface OwnCalls {
  readonly accountId: number;
  readonly tokenIds: readonly number[];
}

/** Limits that concern an account. Limits over several accounts show neither use nor remainder. */
@Injectable()
export class OwnLimits {
  constructor(
    private readonly limits: LimitsRepository,
    private readonly uses: LimitUses,
    private readonly subjects: LimitSubjects,
    private readonly permissions: LimitPermissions,
    private readonly cache: LimitCache,
  ) {}

  /**
   * Limits of the account, its tokens, its groups, its end users and everyone, oldest first.
   * @param tokenId  only limits that concern this token; 0 = all tokens of the account
   */
  async list(actor: Actor, tokenId: number): Promise<OwnLimitView[]> {
    const ids = await this.subjects.tokenIdsOf(actor.id);
    const wanted = tokenId === 0 ? ids : ids.filter((id) => id === tokenId);
    const callGroups = await this.subjects.callGroupsOf(actor, wanted);
    const rows = await this.limits.ofAccount(actor.id, wanted, { group: actor.group, callGroups });
    const nowMs = this.cache.nowMs();
    const uses = await this.usesOf(rows, { accountId: actor.id, tokenIds: wanted }, nowMs);
    const values = rows.flatMap(({ scope }, index) =>
      (uses[index] ?? []).map(({ value }) => ({ scope, value })),
    );
    const names = await this.subjects.names(rows, values);
    return Promise.all(
      rows.map(async (row, index) => {
        const own = (uses[index] ?? []).slice(0, MAX_VALUES);
        const mayChange = (await this.permissions.refusalOfChange(actor, row)) === undefined;
        return {
          ...presentLimit(row, { names, nowMs, mayChange, use: own[0] }),
          uses: own.map((use) => presentUse(row, use, names, nowMs)),
        };
      }),
    );
  }

  /** Uses of one account by limit, the largest first; none of a limit over several accounts. Fails: with the database's error. */
  usesOf(
    rows: readonly LimitEntity[],
    account: OwnCalls,
    nowMs: number,
  ): Promise<readonly (readonly LimitUseNow[])[]> {
    return Promise.all(rows.map((row) => this.usesOfOne(row, account, nowMs)));
  }

  private async usesOfOne(
    row: LimitEntity,
    account: OwnCalls,
    nowMs: number,
  ): Promise<readonly LimitUseNow[]> {
    if (isShared(row)) return [];
    const values = ownValues(row, account);
    const uses =
      values === undefined
        ? await this.uses.usesOf([row], nowMs)
        : await this.uses.usesOfValues([row], nowMs, values);
    return uses.toSorted((a, b) => b.used + b.held - (a.used + a.held));
  }
}

/** Values of a limit for each that are the account's own; undefined = all of them are. */
function ownValues(
  { each, scope }: Pick<LimitDefinition, 'each' | 'scope'>,
  { accountId, tokenIds }: OwnCalls,
): readonly string[] | undefined {
  if (!each) return undefined;
  if (scope === 'account') return [String(accountId)];
  return scope === 'token' ? tokenIds.map(String) : undefined;
}
