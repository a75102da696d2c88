import type { DataSource } from 'typeorm';
import { type SharedStore, StoreUnavailableError } from '../../../infra/shared-store/shared-store.js';
import type { Clock } from '../../../common/clock.js';
import type { CallLimit } from '../../limits/call-limits.js';
import { readMarks, usedOf } from '../../limits/limit-marks.js';
import { fieldOfBooked } from '../../limits/window-moments.js';
import type { Usage } from '../../../relay-core/model/usage.js';
import type { Instances } from '../ledger/instances.js';
import { read, textList, toInteger, toText } from '../ledger/money-sql.js';
import { wholeTokens } from '../records/spool-documents.js';
import { callIdOf, type LimitedCalls } from './limited-calls.js';

/** Longest wait for the other workers to enter their running calls in a store that lost its data. */
const OTHERS_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 100;
const TOPIC = 'limits-run';

/** Windows of limits in the store: filled from SQL before calls are admitted under them. */
export class LimitWindows {
  private readonly filling = new Map<string, Promise<boolean>>();
  private entering: Promise<void> | undefined;
  private enteredIn: string | undefined;
  private readonly stopListening: () => void;

  constructor(
    private readonly ports: {
      readonly dataSource: DataSource;
      readonly store: SharedStore;
      readonly clock: Clock;
      readonly instances: Pick<Instances, 'listCountingLimits'>;
      readonly calls: LimitedCalls;
      readonly owner: string;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {
    this.stopListening = ports.store.signals.subscribe(TOPIC, () => this.enterInBackground());
  }

  stop(): void {
    this.stopListening();
  }

  /** True when this worker's running calls are in the store's current run. */
  get isEntered(): boolean {
    return this.enteredIn === this.ports.store.limits.epoch && !this.ports.calls.hasOutside;
  }

  /** Enters the calls of this worker that the store's current run does not count. Fails: StoreUnavailableError. */
  async enter(): Promise<void> {
    this.entering ??= this.enterAll().finally(() => {
      this.entering = undefined;
    });
    await this.entering;
  }

  /** Never fails: the next turn tries again. */
  enterInBackground(): void {
    const { store, onFault } = this.ports;
    if (!store.isAvailable) return;
    store.pools
      .epoch()
      .then(() => (this.isEntered ? undefined : this.enter()))
      .catch((error: unknown) => {
        // Away again: the next turn tries again.
        if (error instanceof StoreUnavailableError) return;
        onFault('running calls could not be entered into the limits of the store', error);
      });
  }

  private async enterAll(): Promise<void> {
    const { store, calls, owner } = this.ports;
    const { epoch } = store.limits;
    if (epoch === undefined) return;
    calls.isEntering = true;
    try {
      const missing = calls.toEnter(epoch);
      await store.limits.restore(missing, owner);
      await store.limits.settle(calls.markEntered(missing, epoch));
      this.enteredIn = epoch;
    } finally {
      calls.isEntering = false;
      calls.sweep();
    }
  }

  /**
   * Fills windows that the store does not know.
   * @returns false when the use is unknown: other workers have not entered their running calls. Fails: with the fault of the store or the database.
   */
  async fill(limits: readonly CallLimit[], userId: number): Promise<boolean> {
    const known = await Promise.all(
      limits.map((limit) => {
        const { key } = limit.part;
        let filling = this.filling.get(key);
        if (filling === undefined) {
          filling = this.fillOne(limit, userId).finally(() => this.filling.delete(key));
          this.filling.set(key, filling);
        }
        return filling;
      }),
    );
    return !known.includes(false);
  }

  private async fillOne(limit: CallLimit, userId: number): Promise<boolean> {
    const { store } = this.ports;
    await store.pools.epoch();
    if (!this.isEntered) await this.enter();
    const epoch = this.enteredIn;
    if (epoch === undefined) return false;
    if (store.pools.isRemote && !(await this.haveOthersEntered())) return false;
    const restored = await store.limits.restoredCalls();
    const uses = await usesOf(
      this.ports.dataSource,
      limit,
      restored.map(({ callId }) => callIdOf(callId)),
    );
    const { key, isShared, ttlMs } = limit.part;
    // A store that lost its data meanwhile refuses these sums; the call asks again.
    await store.limits.fill({ key, isShared, ttlMs, userId, uses }, epoch);
    return true;
  }

  private async haveOthersEntered(): Promise<boolean> {
    const { store, clock, instances } = this.ports;
    const dueMs = clock.monotonicMs() + OTHERS_WITHIN_MS;
    let isAnnounced = false;
    for (;;) {
      const entered = await store.limits.restoredOwners();
      if ((await instances.listCountingLimits()).every((owner) => entered.has(owner))) return true;
      if (!isAnnounced) await store.signals.publish(TOPIC, '');
      isAnnounced = true;
      if (clock.monotonicMs() >= dueMs) return false;
      await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
    }
  }
}

/**
 * Use by start of period or bucket as the books have it, without what entered calls add to the window themselves. One statement, so that a charge is
 * in both sums or in none.
 */
async function usesOf(
  dataSource: DataSource,
  { limit, value, bookedFromMs }: CallLimit,
  entered: readonly string[],
): Promise<Map<number, number>> {
  const uses = new Map<number, number>();
  if (limit.measure === 'in_flight') return uses;
  const add = (start: number, used: number): void => {
    const field = fieldOfBooked(limit, start);
    uses.set(field, (uses.get(field) ?? 0) + used);
  };
  const booked = `SELECT "period_start_ms" AS "start", SUM("used") AS "used", '' AS "usage", '' AS "limits" FROM "limit_use"
       WHERE "limit_id" = ? AND "value" = ? AND "period_start_ms" >= ? GROUP BY "period_start_ms"`;
  const rows = await read(
    dataSource,
    entered.length === 0 ? booked : `${booked} UNION ALL ${bookedCalls(textList(entered))}`,
    [limit.id, value, bookedFromMs],
  );
  for (const row of rows) {
    const text = toText(row['limits']);
    if (text === '') {
      add(toInteger(row['start']), toInteger(row['used']));
      continue;
    }
    const usage = JSON.parse(toText(row['usage'])) as Usage;
    const figures = {
      quota: toInteger(row['used']),
      inputTokens: wholeTokens(usage.input.total),
      outputTokens: wholeTokens(usage.output.total),
    };
    for (const mark of readMarks(text))
      if (mark.limitId === limit.id && mark.value === value && mark.periodStartMs >= bookedFromMs)
        add(mark.periodStartMs, -usedOf(mark.measure, figures));
  }
  return uses;
}

/** Calls of a list that are booked, failed ones included. */
const bookedCalls = (ids: string): string =>
  `SELECT 0, "charged", "usage", "limits" FROM "settlements" WHERE "limits" IS NOT NULL AND "request_id" IN (${ids})
     UNION ALL SELECT 0, 0, '{"input":{},"output":{}}', "limits" FROM "limit_failed_calls" WHERE "request_id" IN (${ids})`;
