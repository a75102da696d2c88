import { runInTransaction } from '../../server/infra/database/run-in-transaction.js';
import {
  BalanceTooHighError,
  BalanceTooLowError,
} from '../../server/base/billing/ledger/account-money.service.js';
import { ROLE } from '../../server/base/access/user.codes.js';
import { ledgerRefOf as refOfCode, redeemCode } from '../../server/console/redemptions/redeem.service.js';
import type { ReportedPayment } from '../../server/console/wallet/payments/payment-provider.js';
import { ledgerRefOf as refOfOrder, fulfilOrder } from '../../server/console/wallet/orders/fulfil-order.js';
import type { MoneyModel } from './money-model.js';
import type { SeededRandom } from './seeded-random.js';
import type { SimulatedWorker } from './simulated-worker.js';

export interface SimulatedCode {
  readonly id: number;
  readonly keyDigest: string;
  readonly quota: number;
}

export interface SimulatedOrder {
  readonly id: number;
  readonly userId: number;
  readonly tradeNo: string;
  readonly moneyMinor: number;
  readonly quota: number;
}

export interface SimulatedToken {
  readonly id: number;
  readonly userId: number;
  readonly isLimited: boolean;
}

/** Money that moves other than through calls, by the product's own functions. Every one of them may be tried many times. */
export class SimulatedWallet {
  private operations = 0;

  constructor(
    private readonly random: SeededRandom,
    private readonly model: MoneyModel,
  ) {}

  /** Actions several workers may try at once: an adjustment by an administrator, or a refund, under one name. */
  nameOperation(
    kind: 'adjust' | 'refund',
    userId: number,
  ): { kind: string; ref: string; amount: number; userId: number } {
    this.operations += 1;
    const most = 3_000;
    const amount = kind === 'refund' ? this.random.between(1, most) : this.random.between(-most, most) || 1;
    return { kind, ref: `${kind}-${this.operations}`, amount, userId };
  }

  async adjust(
    worker: SimulatedWorker,
    { kind, ref, amount, userId }: ReturnType<SimulatedWallet['nameOperation']>,
  ): Promise<void> {
    const movement = this.model.movement({ table: 'ledger', kind, ref, ownerId: userId, amount });
    const input = { userId, amount, ref, actorId: 1, reason: 'simulated' };
    await this.model.attempt(movement, userId, () =>
      refusedIsFalse(
        runInTransaction(worker.dataSource, (manager) =>
          kind === 'refund'
            ? worker.money.credit(manager, { ...input, kind: 'refund' })
            : worker.money.adjust(manager, input),
        ),
      ),
    );
  }

  async redeem(worker: SimulatedWorker, code: SimulatedCode, userId: number): Promise<void> {
    const movement = this.model.movement({
      table: 'ledger',
      kind: 'redeem',
      ref: refOfCode(code.id),
      ownerId: null,
      amount: code.quota,
    });
    const { dataSource, codes, money } = worker;
    const nowSeconds = Math.floor(worker.clock.nowMs() / 1_000);
    await this.model.attempt(movement, userId, async () => {
      const redeemed = await redeemCode(
        { dataSource, codes, money },
        { keyDigest: code.keyDigest, actor: { id: userId, role: ROLE.user }, nowSeconds },
      );
      return redeemed !== null;
    });
  }

  /** A notification of a payment: genuine, for another sum, of another service, or of another payment. */
  async notify(worker: SimulatedWorker, order: SimulatedOrder): Promise<void> {
    const { dataSource, orders, money } = worker;
    const claim: ReportedPayment = {
      provider: this.random.onceIn(8) ? 'stripe' : 'epay',
      tradeNo: order.tradeNo,
      providerTradeNo: this.random.onceIn(10) ? 'somebody-elses' : `paid-${order.id}`,
      moneyMinor: this.random.onceIn(8) ? order.moneyMinor - 1 : order.moneyMinor,
      currency: '',
      method: 'alipay',
      merchantId: 'merchant',
    };
    const movement = this.model.movement({
      table: 'ledger',
      kind: 'topup',
      ref: refOfOrder(order.id),
      ownerId: order.userId,
      amount: order.quota,
    });
    await this.model.attempt(movement, order.userId, async () => {
      const settlement = await fulfilOrder(
        { dataSource, orders, money, isOwnerGone: async () => false },
        claim,
        worker.clock.nowMs(),
      );
      return settlement.kind === 'credited';
    });
  }

  /** A reward for an invitation, and what was earned so far into the balance. */
  async earn(worker: SimulatedWorker, userId: number): Promise<void> {
    this.operations += 1;
    const ref = `earnings-${this.operations}`;
    const amount = this.random.between(1, 400);
    if (this.random.onceIn(2)) {
      await runInTransaction(worker.dataSource, (manager) =>
        worker.money.rewardInviter(manager, { inviterId: userId, amount }),
      );
    }
    const movement = this.model.movement({ table: 'ledger', kind: 'aff_in', ref, ownerId: userId, amount });
    await this.model.attempt(movement, userId, () =>
      refusedIsFalse(
        runInTransaction(worker.dataSource, (manager) =>
          worker.money.moveEarnings(manager, { userId, amount, ref }),
        ),
      ),
    );
  }

  /** A new allowance, as the console sets it: idle money of the token comes back first. */
  async setAllowance(worker: SimulatedWorker, token: SimulatedToken): Promise<void> {
    this.operations += 1;
    const ref = `allowance-${this.operations}`;
    const { id: tokenId, userId } = token;
    const movement = this.model.movement({
      table: 'token_grants',
      kind: 'edit',
      ref,
      ownerId: tokenId,
      amount: null,
    });
    await this.model.attempt(movement, tokenId, async () => {
      await worker.money.returnPools({ userId, tokenId });
      const remainder = this.random.between(0, 8_000);
      await runInTransaction(worker.dataSource, (manager) =>
        worker.money.setTokenAllowance(manager, { tokenId, remainder, ref, actorId: userId }),
      );
      return true;
    });
  }

  /** A token or an account that may not be used any more, or may again. Its idle money comes back. */
  async bar(worker: SimulatedWorker, target: SimulatedToken | number): Promise<void> {
    const [table, id] = typeof target === 'number' ? ['users', target] : ['tokens', target.id];
    const status = this.random.onceIn(2) ? 1 : 2;
    await runInTransaction(worker.dataSource, (manager) =>
      manager.getRepository(table).update({ id }, { status }),
    );
    await worker.money.returnPools(
      typeof target === 'number' ? { userId: target } : { userId: target.userId, tokenId: target.id },
    );
  }

  async deleteToken(worker: SimulatedWorker, token: SimulatedToken): Promise<void> {
    await runInTransaction(worker.dataSource, (manager) =>
      manager.getRepository('tokens').update({ id: token.id }, { deletedAtMs: worker.clock.nowMs() }),
    );
    await worker.money.returnPools({ userId: token.userId, tokenId: token.id });
  }
}

/** A balance that is too small or too large is an answer. */
async function refusedIsFalse(attempt: Promise<boolean>): Promise<boolean> {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof BalanceTooLowError || error instanceof BalanceTooHighError) return false;
    throw error;
  }
}
