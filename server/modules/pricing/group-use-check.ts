import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import type { OptionValues } from '../options/option-catalogue.js';
import { OptionsService } from '../options/options.service.js';

/** Groups looked up for one change; a document that drops more of them is refused at the first that is used anyway. */
const MAX_REMOVED = 200;

/** A group that accounts or API keys still use cannot be taken out of the group ratios: they would be priced by chance (PRICE-4). */
@Injectable()
export class GroupUseCheck {
  constructor(
    options: OptionsService,
    private readonly dataSource: DataSource,
  ) {
    options.registerCheck(['GroupRatio'], (candidate) => this.check(options.values(), candidate));
  }

  /** Fails: DomainError `option_group_in_use`, naming the group and its users. */
  private async check(current: OptionValues, candidate: OptionValues): Promise<void> {
    const removed = Object.keys(current.GroupRatio).filter(
      (group) => candidate.GroupRatio[group] === undefined,
    );
    for (const group of removed.slice(0, MAX_REMOVED)) {
      const users = await this.countIn('users', group);
      const tokens = await this.countIn('tokens', group);
      if (users + tokens > 0) throw new DomainError('option_group_in_use', { group, users, tokens });
    }
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
