import { Injectable, Logger } from '@nestjs/common';
import { ChangeFeed } from '../../../infra/events/change-feed.js';
import type { JobParts } from '../../../infra/schedule/job-parts.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { Clock } from '../../../common/clock.js';
import { AccountLines } from '../../../base/users/account-lines.js';
import { LOG_TYPE } from '../../../base/logs/log.codes.js';
import { formatMoney, minorDigitsOf } from '../payments/top-up-price.js';
import type { TopUpEntity } from './top-up.entity.js';
import { TopUpsRepository } from './top-ups.repository.js';

const LOG_GRACE_SECONDS = 30;
const AT_ONCE = 200;

/**
 * The log line of each paid order. The log may live in another database, so the line is written after the commit. A mark on the order keeps
 * that the line is missing; a job writes lines that a crash or the log's database prevented. Each line is written once.
 */
@Injectable()
export class OrderLog {
  private readonly logger = new Logger('Payments');

  constructor(
    private readonly orders: TopUpsRepository,
    private readonly lines: AccountLines,
    private readonly feed: ChangeFeed,
    private readonly clock: Clock,
  ) {}

  /** After the commit of a credit. Never fails: a log line that cannot be written now is written by the job. */
  async credited(order: TopUpEntity): Promise<void> {
    this.feed.announce('user', order.userId);
    try {
      await this.writeLine(order);
    } catch (error) {
      this.logger.warn(`the log line of order ${order.tradeNo} waits for the log: ${String(error)}`);
    }
  }

  /** Writes the lines that are missing. Fails: with the error of the database. What is wrong with one is noted. */
  async writeMissing(parts: JobParts, run?: JobRun): Promise<void> {
    const before = Math.floor(this.clock.nowMs() / 1000) - LOG_GRACE_SECONDS;
    await parts.each(await this.orders.withoutLog(before, AT_ONCE), {
      run,
      nameOf: ({ tradeNo }) => `log line of order ${tradeNo}`,
      work: (order) => this.writeLine(order),
    });
  }

  private async writeLine(order: TopUpEntity): Promise<void> {
    const money = formatMoney(order.moneyMinor, minorDigitsOf(order.currency));
    const quota = this.lines.quotaText(order.quotaToCredit);
    await this.lines.write({
      type: LOG_TYPE.topUp,
      userId: order.userId,
      content: `Topped up ${quota} by ${order.paymentMethod}, paid ${`${money} ${order.currency}`.trim()}`,
      quota: order.quotaToCredit,
      event: {
        code: 'paid',
        trade_no: order.tradeNo,
        paid: money,
        currency: order.currency,
        method: order.paymentMethod,
      },
      other: {
        trade_no: order.tradeNo,
        money,
        currency: order.currency,
        payment_method: order.paymentMethod,
      },
      onceKey: `top-up:${order.id}`,
    });
    await this.orders.markLogged(order.id);
  }
}
