import { Injectable } from '@nestjs/common';
import { AccountsService } from '../../base/users/accounts.service.js';
import type { CreatorSumView } from './dto/redemption.dto.js';
import { RedemptionsRepository } from './redemptions.repository.js';

/** Creators of codes, with the state of their codes. */
@Injectable()
export class CodeCreators {
  constructor(
    private readonly codes: RedemptionsRepository,
    private readonly accounts: AccountsService,
  ) {}

  async sums(): Promise<CreatorSumView[]> {
    const sums = await this.codes.sumsByCreator();
    return Promise.all(
      sums.map(async (sum) => ({
        user_id: sum.userId,
        username: (await this.accounts.findIdentity(sum.userId))?.username ?? '',
        created: sum.created,
        created_quota: sum.createdQuota,
        used: sum.used,
        used_quota: sum.usedQuota,
        used_by_creator: sum.usedByCreator,
      })),
    );
  }
}
