import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { escapeLike, splitList } from '../../common/text.js';
import type { OptionValues } from '../../base/options/option-catalogue.js';
import { OptionsService } from '../../base/options/options.service.js';

/** Groups looked up for one change; a document that drops more of them is refused at the first that is used anyway. */
const MAX_REMOVED = 200;
/** Limits that one refusal names. */
const MAX_NAMED_LIMITS = 5;

/**
 * A group that is offered, or that accounts, API keys or channels still need, cannot be taken out of the group ratios: they would be
 * priced by chance, or not be served any more. Limits of a group are deleted first, so that none goes unseen.
 */
@Injectable()
export class GroupUseCheck {
  constructor(
    private readonly options: OptionsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {
    options.registerCheck(['GroupRatio'], (candidate, current) => this.check(current, candidate));
  }

  /** Fails: DomainError `option_group_offered`, `option_group_in_use` or `option_group_limited`, naming the groups and their uses. */
  private async check(current: OptionValues, candidate: OptionValues): Promise<void> {
    const removed = Object.keys(current.GroupRatio).filter(
      (group) => !Object.hasOwn(candidate.GroupRatio, group),
    );
    this.checkOffers(removed, candidate);
    for (const group of removed.slice(0, MAX_REMOVED)) {
      const users = await this.countIn('users', group);
      const tokens = await this.countIn('tokens', group);
      const channels = await this.countChannelsWithout(group, candidate);
      if (users + tokens + channels > 0)
        throw new DomainError('option_group_in_use', { group, users, tokens, channels });
      const limits = await this.limitsOf(group);
      if (limits.length > 0)
        throw new DomainError('option_group_limited', { group, limits: limits.join(', ') });
    }
  }

  /** The built-in list is no operator's decision: entries without a ratio are simply not offered. */
  private checkOffers(removed: readonly string[], { UserUsableGroups: offered }: OptionValues): void {
    if (!this.options.isStored('UserUsableGroups')) return;
    const groups = removed.filter((group) => Object.hasOwn(offered, group));
    if (groups.length > 0) throw new DomainError('option_group_offered', { groups: groups.join(', ') });
  }

  /** Channels that serve this group and would serve none any more. */
  private async countChannelsWithout(group: string, { GroupRatio: ratios }: OptionValues): Promise<number> {
    const column = this.dataSource.driver.escape('group');
    const rows = await this.dataSource
      .createQueryBuilder()
      .select(`row.${column}`, 'served')
      .from('channels', 'row')
      .where(`row.${column} LIKE :part ESCAPE '!'`, { part: `%${escapeLike(group)}%` })
      .getRawMany<{ served: string }>();
    return rows.filter(({ served }) => {
      const names = splitList(served);
      return names.includes(group) && !names.some((name) => Object.hasOwn(ratios, name));
    }).length;
  }

  /** Names of the limits of a group, with their ids; the first of many. */
  private async limitsOf(group: string): Promise<readonly string[]> {
    const rows = await this.dataSource
      .createQueryBuilder()
      .select('row.id', 'id')
      .addSelect('row.name', 'name')
      .from('limits', 'row')
      .where("row.scope IN ('group', 'call_group') AND row.subject = :group", { group })
      .orderBy('row.id')
      .limit(MAX_NAMED_LIMITS)
      .getRawMany<{ id: number; name: string }>();
    return rows.map(({ id, name }) => `"${name}" (${id})`);
  }

  private async countIn(table: 'users' | 'tokens', group: string): Promise<number> {
    const column = this.dataSource.driver.escape('group');
    return this.dataSource
      .createQueryBuilder()
      .select('row.id')
      .from(table, 'row')
      .where(`row.${column} = :group`, { group })
      .andWhere('row.deleted_at_ms IS NULL')
      .getCount();
  }
}
