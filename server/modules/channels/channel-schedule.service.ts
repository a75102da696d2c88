import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { SharedStore } from '../../infra/shared-store/shared-store.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { OptionsService } from '../options/options.service.js';
import { ChannelRoundsService } from './channel-rounds.service.js';

const TICK_MS = 30_000;
const TURN = 'job:channel-test-turn';

/** Starts rounds of channel tests as the options say: one instance per turn, whoever gets the lease. */
@Injectable()
export class ChannelSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('ChannelSchedule');
  private cancel: () => void = () => undefined;
  private isStopped = false;

  constructor(
    private readonly options: OptionsService,
    private readonly rounds: ChannelRoundsService,
    private readonly store: SharedStore,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.plan();
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    this.cancel();
  }

  private plan(): void {
    if (this.isStopped) return;
    this.cancel = this.clock.after(TICK_MS, () => {
      this.tick()
        .catch((error: unknown) => {
          // The store or the database is away: the next tick tries again.
          this.logger.warn(`channels could not be tested: ${String(error)}`);
        })
        .finally(() => this.plan());
    });
  }

  private async tick(): Promise<void> {
    const values = this.options.values();
    if (!values['monitor_setting.auto_test_channel_enabled']) return;
    const periodMs = values['monitor_setting.auto_test_channel_minutes'] * 60_000;
    // Not released: the lease running out is what makes the next turn.
    if ((await this.store.leases.acquire(TURN, Math.max(TICK_MS, periodMs - TICK_MS / 2))) === null) return;
    try {
      await this.rounds.testAll(values['monitor_setting.channel_test_mode']);
    } catch (error) {
      // Somebody started a round by hand: it does the same.
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
