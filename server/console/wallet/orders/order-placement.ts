import { randomInt } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { RateLimiter } from '../../../infra/rate-limit/rate-limiter.js';
import { Clock } from '../../../common/clock.js';
import type { Actor } from '../../../base/access/current-actor.js';
import { AccountsService } from '../../../base/users/accounts.service.js';
import type { AmountInput } from '../dto/top-up.dto.js';
import type { PaymentProvider, PaymentStart } from '../payments/payment-provider.js';
import { TopUpOffers } from '../payments/top-up-offers.js';
import { toPaymentOrder } from './payment-order.js';
import { FIRST_QUERY_SECONDS } from './query-times.js';
import type { TopUpEntity } from './top-up.entity.js';
import { TopUpsRepository } from './top-ups.repository.js';

/** Unpaid orders an account may have, and orders it may make in an hour: payment services lock out who asks more. */
export const MAX_PENDING = 10;
const CREATIONS = { limit: 10, windowMs: 3_600_000 };

const TRADE_NO_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const TRADE_NO_RANDOM = 6;

export interface StartedPayment {
  readonly tradeNo: string;
  readonly start: PaymentStart;
}

/** Fails: topup_too_many_pending. */
function assertRoom(pending: number): void {
  if (pending >= MAX_PENDING) throw new DomainError('topup_too_many_pending', { max: MAX_PENDING });
}

/** Makes orders, and registers them with payment services. */
@Injectable()
export class OrderPlacement {
  private readonly logger = new Logger('Payments');

  constructor(
    private readonly offers: TopUpOffers,
    private readonly orders: TopUpsRepository,
    private readonly throttle: RateLimiter,
    private readonly accounts: AccountsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes an order and returns the address of its payment. Its price and value are fixed here. Fails: with the errors of
   * `TopUpService.amount`, and topup_too_many_pending, topup_start_failed, too_many_requests.
   */
  async pay(actor: Actor, input: AmountInput): Promise<StartedPayment> {
    const { provider, method } = this.offers.ofMethod(input.payment_method);
    const { currency } = provider.terms();
    const price = this.offers.price(provider, actor.group, input.amount);
    // Asked before it is counted as a try; decided when the order is written.
    assertRoom(await this.orders.countPending(actor.id));
    await this.throttle.admit(`topup:orders:${actor.id}`, CREATIONS);
    const nowMs = this.clock.nowMs();
    const createTime = Math.floor(nowMs / 1000);
    const order = await this.orders.insert(
      {
        userId: actor.id,
        amount: price.units,
        moneyMinor: price.moneyMinor,
        currency,
        quotaToCredit: price.quota,
        tradeNo: makeTradeNo(actor.id, createTime),
        provider: provider.name,
        paymentMethod: method,
        merchantId: provider.merchantId(),
        createTime,
        nextQueryTime: createTime + FIRST_QUERY_SECONDS,
      },
      {
        nowMs,
        before: async (manager) => {
          // With the lock, each of many concurrent orders counts those before it.
          await this.accounts.lock(manager, actor.id);
          assertRoom(await this.orders.countPending(actor.id, manager));
        },
      },
    );
    return { tradeNo: order.tradeNo, start: await this.begin(provider, order, `TUC${input.amount}`) };
  }

  /** Nothing was paid when the service could not be reached: the order has failed. */
  private async begin(provider: PaymentProvider, order: TopUpEntity, title: string): Promise<PaymentStart> {
    try {
      const start = await provider.start(toPaymentOrder(order, title));
      if (start.kind === 'redirect') await this.orders.setReference(order.id, start.providerReference);
      return start;
    } catch (error) {
      const detail = describe(error);
      this.logger.error(`order ${order.tradeNo} could not be started: ${detail}`);
      const event = { eventKey: `order:${order.id}:failed`, detail, nowMs: this.clock.nowMs() };
      await this.orders.end(order.id, 'failed', event);
      throw new DomainError('topup_start_failed');
    }
  }
}

/** USR, the user, NO, six random characters, seconds: at most 31 characters, which every payment service takes. */
function makeTradeNo(userId: number, nowSeconds: number): string {
  let random = '';
  for (let index = 0; index < TRADE_NO_RANDOM; index += 1)
    random += TRADE_NO_ALPHABET[randomInt(TRADE_NO_ALPHABET.length)];
  return `USR${userId}NO${random}${nowSeconds}`;
}

/** Errors of payment services may quote what they were sent: only their kind is kept. */
const describe = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message.slice(0, 200)}` : 'unknown';
