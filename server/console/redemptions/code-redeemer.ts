import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { AccountMoney } from '../../base/billing/ledger/account-money.service.js';
import { type Redeemed, redeemCode } from './redeem.js';
import { readCode, RedemptionKeys } from './redemption-keys.js';
import { RedemptionsRepository } from './redemptions.repository.js';

/** Finds the code that somebody typed, and books it. */
@Injectable()
export class CodeRedeemer {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly codes: RedemptionsRepository,
    private readonly keys: RedemptionKeys,
    private readonly money: AccountMoney,
    private readonly clock: Clock,
  ) {}

  /** @returns null when there is no such code to redeem. Fails: as `redeemCode`. */
  async redeem(userId: number, typed: string): Promise<Redeemed | null> {
    const code = readCode(typed);
    if (code === null) return null;
    const { dataSource, codes, money } = this;
    const nowSeconds = Math.floor(this.clock.nowMs() / 1000);
    return redeemCode(
      { dataSource, codes, money },
      { keyDigest: this.keys.digest(code), userId, nowSeconds },
    );
  }
}
