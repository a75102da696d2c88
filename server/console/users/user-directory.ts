import { fromOne } from '../../common/query.js';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_OFFSET, type Page } from '../../common/page.js';
import type { Actor } from '../../base/access/current-actor.js';
import { AccountMoney } from '../../base/billing/ledger/account-money.service.js';
import { AccountsRepository } from '../../base/users/accounts.repository.js';
import type { UserSearchQuery } from './dto/user.dto.js';
import { assertMayActOn } from '../../base/users/may-act-on.js';
import { presentUser } from '../../base/users/present-user.js';
import type { UserView } from '../../base/users/user-view.js';

/** Accounts as administrators look them up. */
@Injectable()
export class UserDirectory {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly money: AccountMoney,
  ) {}

  /** One page, newest first, purged accounts never. Fails: `malformed_input` for a page too far back. */
  async list(query: UserSearchQuery): Promise<Page<UserView>> {
    const { p, page: named, page_size: limit, ...filter } = query;
    const page = fromOne({ p, page: named });
    const offset = (page - 1) * limit;
    if (offset > MAX_OFFSET)
      throw new DomainError('malformed_input', { field: 'p', problem: ' (too far, narrow the search)' });
    const { rows, total } = await this.accounts.list({ ...filter, offset, limit });
    const balances = await this.money.balancesOf(rows.map(({ id }) => id));
    const items = rows.map((row) => presentUser(row, balances.get(row.id) ?? row.quota, 'administrator'));
    return { items, total, page, page_size: limit };
  }

  /** A deregistered account is returned as the list shows it. Fails: DomainError `user_not_found`, also for a purged account, `user_out_of_reach`. */
  async get(actor: Actor, id: number): Promise<UserView> {
    const user = await this.accounts.find(id, { withDeregistered: true });
    if (user === null || user.purgedAtMs !== null) throw new DomainError('user_not_found');
    assertMayActOn('read', actor, user);
    const balances = await this.money.balancesOf([user.id]);
    return presentUser(user, balances.get(user.id) ?? user.quota, 'administrator');
  }
}
