import { insertLimits } from './compare-limits.js';
import type { DataSource } from 'typeorm';
import { runInTransaction } from '../../server/infra/database/run-in-transaction.js';
import type { AccountMoney } from '../../server/base/billing/ledger/account-money.service.js';
import { RedemptionEntity } from '../../server/console/redemptions/redemption.entity.js';
import { RedemptionsRepository } from '../../server/console/redemptions/redemptions.repository.js';
import { TopUpsRepository } from '../../server/console/wallet/orders/top-ups.repository.js';
import type { MoneyModel } from './money-model.js';
import type { SeededRandom } from './seeded-random.js';
import type { SimulatedCode, SimulatedOrder, SimulatedToken } from './simulated-wallet.js';
import { TopUpEntity } from '../../server/console/wallet/orders/top-up.entity.js';
import { PaymentEventEntity } from '../../server/console/wallet/payments/payment-event.entity.js';
import { channelRow, newRedemption, tokenRow, userRow, withoutId } from '../support/stored-rows.js';

/** Parties of the simulation. Rich, poor and empty accounts, limited and unlimited tokens. */
export interface Cast {
  readonly users: number[];
  readonly tokens: SimulatedToken[];
  readonly codes: SimulatedCode[];
  readonly orders: SimulatedOrder[];
}

const BALANCES = [40_000_000, 4_000_000, 400_000, 40_000, 8_000, 600, 0];
const CODES = 12;
const ORDERS = 12;
const CHANNEL_IDS = [1, 2, 3];

/** Makes accounts, tokens, codes and orders. Nothing else uses the database meanwhile. */
export class Casting {
  private made = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly money: AccountMoney,
    private readonly model: MoneyModel,
    private readonly random: SeededRandom,
  ) {}

  async begin(): Promise<Cast> {
    for (const id of CHANNEL_IDS) await this.addChannel(id);
    const cast: Cast = { users: [], tokens: [], codes: [], orders: [] };
    await insertLimits(this.dataSource);
    for (const balance of BALANCES) cast.users.push(await this.addUser(balance));
    await this.renew(cast);
    return cast;
  }

  /** New codes, orders and tokens for the next epoch. */
  async renew(cast: Cast): Promise<void> {
    cast.codes.length = 0;
    cast.orders.length = 0;
    cast.tokens.length = 0;
    for (const userId of cast.users) {
      cast.tokens.push(await this.addToken(userId, null));
      cast.tokens.push(await this.addToken(userId, this.random.pick([200, 2_500, 30_000])));
    }
    for (let index = 0; index < CODES; index += 1) cast.codes.push(await this.addCode());
    for (let index = 0; index < ORDERS; index += 1)
      cast.orders.push(await this.addOrder(this.random.pick(cast.users)));
  }

  private async addChannel(id: number): Promise<void> {
    await this.dataSource.getRepository('channels').insert(channelRow({ id, name: `channel ${id}` }));
  }

  private async addUser(balance: number): Promise<number> {
    const name = this.name('user');
    const row = withoutId(userRow({ username: name }));
    const { identifiers } = await this.dataSource.getRepository('users').insert(row);
    const userId = Number(identifiers[0]?.['id']);
    if (balance === 0) return userId;
    const ref = `user:${userId}`;
    const movement = this.model.movement({
      table: 'ledger',
      kind: 'import',
      ref,
      ownerId: userId,
      amount: balance,
    });
    await this.model.attempt(movement, userId, () =>
      runInTransaction(this.dataSource, (manager) =>
        this.money.credit(manager, {
          userId,
          amount: balance,
          kind: 'import',
          ref,
          actorId: 0,
          reason: 'simulated',
        }),
      ),
    );
    return userId;
  }

  private async addToken(userId: number, allowance: number | null): Promise<SimulatedToken> {
    const name = this.name('token');
    const { identifiers } = await this.dataSource
      .getRepository('tokens')
      .insert(withoutId(tokenRow({ userId, keyDigest: name, name, unlimitedQuota: allowance === null })));
    const tokenId = Number(identifiers[0]?.['id']);
    if (allowance !== null) {
      const ref = `token:${tokenId}`;
      const movement = this.model.movement({
        table: 'token_grants',
        kind: 'create',
        ref,
        ownerId: tokenId,
        amount: allowance,
      });
      await this.model.attempt(movement, tokenId, () =>
        runInTransaction(this.dataSource, (manager) =>
          this.money.grantToken(manager, {
            tokenId,
            amount: allowance,
            kind: 'create',
            ref,
            actorId: userId,
          }),
        ),
      );
    }
    return { id: tokenId, userId, isLimited: allowance !== null };
  }

  private async addCode(): Promise<SimulatedCode> {
    const keyDigest = this.name('code');
    const quota = this.random.between(1, 5_000);
    const codes = new RedemptionsRepository(this.dataSource.getRepository(RedemptionEntity));
    await runInTransaction(this.dataSource, (manager) =>
      codes.insertMany(manager, [newRedemption({ userId: 0, keyDigest, quota, createdTime: 1 })]),
    );
    const row = await codes.findByDigest(keyDigest);
    if (row === null) throw new Error('a code was not made');
    return { id: row.id, keyDigest, quota };
  }

  private async addOrder(userId: number): Promise<SimulatedOrder> {
    const tradeNo = this.name('order');
    const quota = this.random.between(1, 9_000);
    const moneyMinor = quota + 1;
    const row = await new TopUpsRepository(
      this.dataSource.getRepository(TopUpEntity),
      this.dataSource.getRepository(PaymentEventEntity),
    ).insert(
      {
        userId,
        amount: 1,
        moneyMinor,
        currency: '',
        quotaToCredit: quota,
        tradeNo,
        provider: 'epay',
        paymentMethod: 'alipay',
        merchantId: 'merchant',
        createTime: 1,
        nextQueryTime: 0,
      },
      { nowMs: 1_000, before: async () => undefined },
    );
    return { id: row.id, userId, tradeNo, moneyMinor, quota };
  }

  private name(kind: string): string {
    this.made += 1;
    return `${kind}-${this.made}`;
  }
}
