import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { storedAlertMessages } from './stored-alert-messages.js';
import { AlertNotifier } from './alert-notifier.js';
import { AlertStore } from './alert-store.js';
import type { AlertEntity } from './alert.entity.js';

const MAX_ATTEMPTS = 5;

/** Sends recorded alerts that were not sent yet. Everything fails with the database's error. */
@Injectable()
export class AlertAnnouncer {
  constructor(
    private readonly book: AlertStore,
    private readonly notifier: AlertNotifier,
    private readonly options: OptionsService,
    private readonly clock: Clock,
  ) {}

  async announceFiring(): Promise<void> {
    const nowMs = this.clock.nowMs();
    const rows = (await this.book.open()).filter(
      (row) =>
        row.owesRecovery === 0 && row.acknowledgedBy === 0 && nowMs - row.notifiedAtMs >= this.quietMs(),
    );
    if (rows.length === 0) return;
    const telling = await this.notifier.notify(rows.flatMap((row) => storedAlertMessages(row, 'begun')));
    if (telling.reached > 0) {
      await this.book.told(idsOf(rows), nowMs, telling.fault);
      return;
    }
    const tired = rows.filter(({ notifyAttempts }) => notifyAttempts + 1 >= MAX_ATTEMPTS);
    // Alerts that reached no recipient are sent again after the quiet time.
    await this.book.recordNotifyFailure(tired, telling, nowMs);
    await this.book.recordNotifyFailure(
      rows.filter((row) => !tired.includes(row)),
      telling,
      null,
    );
  }

  async announceResolved(): Promise<void> {
    const rows = await this.book.owingRecovery();
    if (rows.length === 0) return;
    const telling = await this.notifier.notify(rows.flatMap((row) => storedAlertMessages(row, 'over')));
    const tired = rows.filter(({ notifyAttempts }) => notifyAttempts + 1 >= MAX_ATTEMPTS);
    const done = telling.reached > 0 ? rows : tired;
    if (done.length > 0) await this.book.recordResolvedNotified(idsOf(done));
    if (telling.reached === 0)
      await this.book.recordNotifyFailure(
        rows.filter((row) => !tired.includes(row)),
        telling,
        null,
      );
  }

  private quietMs(): number {
    return this.options.values().AlertQuietMinutes * 60_000;
  }
}

const idsOf = (rows: readonly AlertEntity[]): number[] => rows.map(({ id }) => id);
