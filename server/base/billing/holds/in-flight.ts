import type { Clock } from '../../../common/clock.js';

/** Half of the remembered pace is forgotten in this time. */
const HALF_LIFE_MS = 5_000;
const MAX_PACES = 10_000;

/** Running money of this worker: the reservations it uses and the rate at which accounts spend. */
export class InFlight {
  /** Reservation → holds and unbooked settlements on it. */
  private readonly counts = new Map<string, number>();
  private readonly paces = new Map<number, { sum: number; atMs: number }>();

  constructor(private readonly clock: Clock) {}

  begin(reservationId: string | null): void {
    if (reservationId !== null && reservationId !== '') {
      this.counts.set(reservationId, (this.counts.get(reservationId) ?? 0) + 1);
    }
  }

  end(reservationId: string | null): void {
    if (reservationId === null || reservationId === '') return;
    const left = (this.counts.get(reservationId) ?? 0) - 1;
    if (left > 0) this.counts.set(reservationId, left);
    else this.counts.delete(reservationId);
  }

  uses(reservationId: string): boolean {
    return this.counts.has(reservationId);
  }

  reservations(): string[] {
    return [...this.counts.keys()];
  }

  recordSpend(userId: number, amount: number): void {
    const nowMs = this.clock.monotonicMs();
    const pace = this.paces.get(userId);
    if (pace === undefined) {
      if (this.paces.size >= MAX_PACES) this.paces.clear();
      this.paces.set(userId, { sum: amount, atMs: nowMs });
      return;
    }
    pace.sum = pace.sum * 0.5 ** ((nowMs - pace.atMs) / HALF_LIFE_MS) + amount;
    pace.atMs = nowMs;
  }

  /** Quota an account would spend in `horizonMs` at its recent pace. */
  spendWithin(userId: number, horizonMs: number): number {
    const pace = this.paces.get(userId);
    if (pace === undefined) return 0;
    const decayed = pace.sum * 0.5 ** ((this.clock.monotonicMs() - pace.atMs) / HALF_LIFE_MS);
    // A steady pace of p per ms adds up to p × half-life ÷ ln 2 in the decaying sum.
    return Math.floor((decayed * Math.LN2 * horizonMs) / HALF_LIFE_MS);
  }
}
