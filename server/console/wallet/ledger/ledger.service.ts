import { fromOne } from '../../../common/query.js';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { MAX_OFFSET } from '../../../common/page.js';
import type { Actor } from '../../../base/access/current-actor.js';
import { AccountMoney } from '../../../base/billing/ledger/account-money.service.js';
import { LedgerReader } from '../../../base/billing/ledger/ledger-reader.js';
import { UsageTotals } from '../../../base/billing/ledger/usage-totals.js';
import { AccountsService } from '../../../base/users/accounts.service.js';
import { assertMayActOn } from '../../../base/users/may-act-on.js';
import type { LedgerPageView, LedgerQuery } from '../dto/ledger.dto.js';

/** Proof of where every unit of a balance came from. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly ledger: LedgerReader,
    private readonly figures: UsageTotals,
    private readonly money: AccountMoney,
    private readonly accounts: AccountsService,
  ) {}

  /** Fails: page_out_of_reach. */
  async own(actor: Actor, query: LedgerQuery): Promise<LedgerPageView> {
    return this.page(actor.id, query);
  }

  /** Ledger of another account. Fails: user_not_found, user_out_of_reach, page_out_of_reach. */
  async ofUser(actor: Actor, userId: number, query: LedgerQuery): Promise<LedgerPageView> {
    const account = await this.accounts.findIdentity(userId);
    if (account === null) throw new DomainError('user_not_found');
    assertMayActOn('read', actor, account);
    return this.page(userId, query);
  }

  private async page(userId: number, query: LedgerQuery): Promise<LedgerPageView> {
    const offset = (fromOne(query) - 1) * query.page_size;
    if (offset >= MAX_OFFSET) throw new DomainError('page_out_of_reach', { max: MAX_OFFSET });
    const { rows, total } = await this.ledger.page(userId, query.kind, { offset, limit: query.page_size });
    const balances = await this.money.balancesOf([userId]);
    return {
      items: rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        amount: row.amount,
        quota_after: row.quotaAfter,
        reason: row.reason,
        created_at: Math.floor(row.createdAtMs / 1000),
      })),
      total,
      page: fromOne(query),
      page_size: query.page_size,
      sums: await this.ledger.sumsOf(userId),
      used_quota: (await this.figures.ofUser(userId)).charged,
      balance: balances.get(userId) ?? 0,
    };
  }
}
