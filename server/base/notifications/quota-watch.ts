import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { RateLimitedFaults } from '../../infra/observability/rate-limited-faults.js';
import { Interval } from '../../infra/schedule/interval.js';
import { Clock } from '../../common/clock.js';
import { AccountMoney } from '../billing/ledger/account-money.service.js';
import { MoneyService } from '../billing/engine/money.service.js';
import { QuotaWarnings } from './quota-warnings.service.js';

/** Interval of balance checks of accounts that were charged. */
const PERIOD_MS = 5_000;
/** Accounts looked at in one go. */
const BATCH = 500;

/** Nothing of a warning happens during a call; charged accounts are looked at a few seconds later, many in one question. */
@Injectable()
export class QuotaWatch implements BeforeApplicationShutdown {
  private readonly faults: RateLimitedFaults;
  private unseen: readonly string[] = [];
  private looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly engine: MoneyService,
    private readonly money: AccountMoney,
    private readonly warnings: QuotaWarnings,
    clock: Clock,
  ) {
    const logger = new Logger('QuotaWatch');
    this.faults = new RateLimitedFaults(clock, (line) => logger.warn(line));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looking;
  }

  /** Looks at every account that was charged since the last look. Never fails: what could not be looked at waits for the next. */
  look(): Promise<void> {
    this.looking = this.looking.then(async () => {
      const reservations = [...this.unseen, ...this.engine.takeCharged()];
      this.unseen = [];
      if (reservations.length === 0) return;
      try {
        const owners = await this.money.ownersOf(reservations);
        for (let start = 0; start < owners.length; start += BATCH)
          await this.warnings.check(owners.slice(start, start + BATCH));
      } catch (error) {
        this.unseen = reservations;
        this.faults.record('balances could not be looked at, the next turn tries again', String(error));
      }
    });
    return this.looking;
  }

  @Interval('quota-watch', PERIOD_MS)
  async lookAgain(): Promise<void> {
    await this.look();
  }
}
