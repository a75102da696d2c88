import { Injectable, Logger } from '@nestjs/common';
import type { PaymentClaim, PaymentProvider, RawNotice } from '../payments/payment-provider.js';
import { OrderLog } from './order-log.js';
import { OrderSettlements } from './order-settlements.js';
import { toPaymentOrder } from './payment-order.js';
import { PaymentRemarks } from './payment-remarks.js';
import type { Settlement } from './settle-order.js';
import { TopUpsRepository } from './top-ups.repository.js';

/**
 * What the service is told. `done`: heard and stored, or nothing to us; it need not repeat. `refused`: not genuine or not this
 * order's. `later`: something of ours was away; it should repeat.
 */
export type NoticeAnswer = 'done' | 'mismatch' | 'refused' | 'unknown-order' | 'later';

/** Notifications of payment services: read, verified, held against the order, booked; answered only after the commit. */
@Injectable()
export class PaymentNotices {
  private readonly logger = new Logger('Payments');
  /** Trade number → when its last notification so far is booked. */
  private readonly turns = new Map<string, Promise<void>>();

  constructor(
    private readonly orders: TopUpsRepository,
    private readonly settlements: OrderSettlements,
    private readonly remarks: PaymentRemarks,
    private readonly log: OrderLog,
  ) {}

  /** Never fails. */
  async take(provider: PaymentProvider, notice: RawNotice): Promise<NoticeAnswer> {
    try {
      const read = await provider.read(notice);
      switch (read.kind) {
        case 'refused':
          this.logger.warn(`a notification of ${provider.name} was refused: ${read.reason}`);
          return 'refused';
        case 'ignored':
          return 'done';
        case 'remark':
          await this.remarks.remark(read.remark);
          return 'done';
        case 'paid':
          return await this.takeClaim(provider, read.claim);
      }
    } catch (error) {
      this.logger.error(`a notification of ${provider.name} could not be booked: ${String(error)}`);
      return 'later';
    }
  }

  /**
   * Books what a service says was paid, whoever asked it. Notifications of one order wait for each other here, so that a hundred
   * of them are one transaction and ninety-nine looks; the database keeps those of other instances apart.
   * Fails: with the database's error.
   */
  book(claim: PaymentClaim): Promise<Settlement> {
    const { tradeNo } = claim;
    const turn = (this.turns.get(tradeNo) ?? Promise.resolve()).then(() => this.bookNow(claim));
    // Whoever comes next starts when this is over, whatever became of it; its own caller hears of a failure.
    const over = turn.then(
      () => undefined,
      () => undefined,
    );
    this.turns.set(tradeNo, over);
    void over.then(() => {
      if (this.turns.get(tradeNo) === over) this.turns.delete(tradeNo);
    });
    return turn;
  }

  private async bookNow(claim: PaymentClaim): Promise<Settlement> {
    const settlement = await this.settlements.byClaim(claim);
    if (settlement.kind === 'credited') await this.log.credited(settlement.order);
    if (settlement.kind === 'mismatch')
      this.logger.error(`order ${claim.tradeNo} was paid otherwise than agreed: nothing was credited`);
    if (settlement.kind === 'foreign')
      this.logger.error(
        `order ${claim.tradeNo}: the ${settlement.what} is not that of the order: nothing was credited`,
      );
    if (settlement.kind === 'account-full')
      this.logger.error(`order ${claim.tradeNo} was paid for a full account: nothing was credited`);
    if (settlement.kind === 'ownerless')
      this.logger.error(`order ${claim.tradeNo} was paid for a deregistered account: nothing was credited`);
    if ('trouble' in settlement && settlement.trouble !== undefined)
      this.remarks.tellOfTrouble(settlement.order, settlement.trouble.kind, settlement.trouble.detail);
    if (settlement.kind !== 'unknown-order' && settlement.kind !== 'foreign')
      await this.remarks.adoptEarly(settlement.order, claim);
    return settlement;
  }

  private async takeClaim(provider: PaymentProvider, claim: PaymentClaim): Promise<NoticeAnswer> {
    if (provider.needsConfirmation(claim) && !(await this.isConfirmed(provider, claim))) return 'later';
    const { kind } = await this.book(claim);
    switch (kind) {
      case 'credited':
      case 'known':
      case 'ownerless':
      case 'account-full':
        return 'done';
      case 'mismatch':
        return 'mismatch';
      case 'foreign':
        return 'refused';
      case 'unknown-order':
        this.logger.warn(`a payment of ${provider.name} names an order that does not exist`);
        return 'unknown-order';
    }
  }

  /** Above a sum of the operator's choice the service has to say it again, when asked. */
  private async isConfirmed(provider: PaymentProvider, claim: PaymentClaim): Promise<boolean> {
    const order = await this.orders.findByTradeNo(claim.tradeNo);
    if (order === null) return true;
    const state = await provider.query(toPaymentOrder(order));
    const isSame =
      state.kind === 'paid' &&
      state.claim.moneyMinor === claim.moneyMinor &&
      state.claim.providerTradeNo === claim.providerTradeNo;
    if (state.kind === 'off') await this.remarks.noteUnconfirmed(order, claim);
    if (!isSame)
      this.logger.warn(`order ${claim.tradeNo}: the payment service does not confirm (${state.kind})`);
    return isSame;
  }
}
