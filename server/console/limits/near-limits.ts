import { Injectable } from '@nestjs/common';
import { LimitCache } from '../../base/limits/limit-cache.js';
import { isShared } from '../../base/limits/limit-definition.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import { LimitUses, type LimitUseNow } from '../../base/limits/limit-uses.js';
import { LimitSubjects } from './limit-subjects.js';
import { LimitsRepository } from './limits.repository.js';
import { isNear } from './limit-nearness.js';
import { OwnLimits } from './own-limits.js';

/** A limit that its running period has used up almost, or wholly. */
export interface NearLimit {
  readonly limitId: number;
  /** Name of the limit, with that of the value where it applies to each. */
  readonly name: string;
  /** Whole percents of the amount that are used or set aside. */
  readonly percent: number;
  /** Seconds; null = never. */
  readonly resetsAt: number | null;
}

/** Finds limits near their end. Calls at once are left out: they are free again in a moment. */
@Injectable()
export class NearLimits {
  constructor(
    private readonly limits: LimitsRepository,
    private readonly uses: LimitUses,
    private readonly own: OwnLimits,
    private readonly subjects: LimitSubjects,
    private readonly cache: LimitCache,
  ) {}

  /** Of the whole instance, the fullest first. Fails: with the database's error. */
  async ofAll(most: number): Promise<readonly NearLimit[]> {
    const limits = (await this.limits.all()).filter(isCounted);
    return this.fullest(
      limits,
      limits.length === 0 ? [] : await this.uses.usesOf(limits, this.cache.nowMs()),
      most,
    );
  }

  /** Of one account: limits that count its calls alone, the fullest first. Fails: with the database's error. */
  async ofAccount(accountId: number, most: number): Promise<readonly NearLimit[]> {
    const tokenIds = await this.subjects.tokenIdsOf(accountId);
    const rows = await this.limits.ofAccount(accountId, tokenIds);
    const limits = rows.filter((limit) => isCounted(limit) && !isShared(limit));
    const uses = await this.own.usesOf(limits, { accountId, tokenIds }, this.cache.nowMs());
    return this.fullest(limits, uses.flat(), most);
  }

  private async fullest(
    limits: readonly LimitEntity[],
    uses: readonly LimitUseNow[],
    most: number,
  ): Promise<readonly NearLimit[]> {
    const byId = new Map(limits.map((limit) => [limit.id, limit]));
    const near = uses
      .flatMap((use) => {
        const limit = byId.get(use.limitId);
        return limit === undefined || !isNear(limit, use) ? [] : [{ limit, use, percent: percentOf(use) }];
      })
      .toSorted((a, b) => b.percent - a.percent || a.limit.id - b.limit.id)
      .slice(0, most);
    const names = await this.subjects.names(
      near.map(({ limit }) => limit),
      near.map(({ limit, use }) => ({ scope: limit.scope, value: use.value })),
    );
    return near.map(({ limit, use, percent }) => ({
      limitId: limit.id,
      name: use.value === '' ? limit.name : `${limit.name} (${names.nameOf(limit.scope, use.value)})`,
      percent,
      resetsAt: use.resetsAtMs === null ? null : Math.floor(use.resetsAtMs / 1_000),
    }));
  }
}

const isCounted = ({ enabled, measure }: LimitEntity): boolean => enabled && measure !== 'in_flight';

/** A limit of 0 is full. */
const percentOf = ({ used, held, amount }: LimitUseNow): number =>
  amount === 0 ? 100 : Math.floor(((used + held) / amount) * 100);
