import type { Clock } from '../../../common/clock.js';

const WINDOW_MS = 1_000;
const MAX_ACCOUNTS = 10_000;

interface CallRate {
  sinceMs: number;
  calls: number;
  amount: number;
  pausedUntilMs: number;
}

/** Rate at which accounts request quota from the pools, to find those worth a slice. */
export class AccountCallRate {
  private readonly accounts = new Map<number, CallRate>();

  /** @param sliceCallRate  an account is hot when so many of its calls asked the pools within a second */
  constructor(
    private readonly clock: Clock,
    private readonly sliceCallRate: number,
  ) {}

  /**
   * One call asked for `amount`.
   * @returns quota it asks for in `turnMs`, when the account is hot; undefined otherwise
   */
  note(account: number, amount: number, turnMs: number): number | undefined {
    const nowMs = this.clock.monotonicMs();
    let heat = this.accounts.get(account);
    if (heat === undefined) {
      heat = this.begin(account);
      heat.sinceMs = nowMs;
    }
    if (nowMs - heat.sinceMs > WINDOW_MS) Object.assign(heat, { sinceMs: nowMs, calls: 0, amount: 0 });
    heat.calls += 1;
    heat.amount += amount;
    if (heat.calls < this.sliceCallRate || heat.pausedUntilMs > nowMs) return undefined;
    const pace = (heat.amount * turnMs) / Math.max(turnMs, nowMs - heat.sinceMs);
    heat.calls = 0;
    heat.amount = 0;
    heat.sinceMs = nowMs;
    return pace;
  }

  /** It is not hot for `pauseMs`, and begins anew. */
  pause(account: number, pauseMs: number): void {
    const heat = this.accounts.get(account) ?? this.begin(account);
    const nowMs = this.clock.monotonicMs();
    heat.sinceMs = nowMs;
    heat.calls = 0;
    heat.amount = 0;
    heat.pausedUntilMs = Math.max(heat.pausedUntilMs, nowMs + pauseMs);
  }

  private begin(account: number): CallRate {
    if (this.accounts.size >= MAX_ACCOUNTS) this.accounts.clear();
    const heat = { sinceMs: 0, calls: 0, amount: 0, pausedUntilMs: 0 };
    this.accounts.set(account, heat);
    return heat;
  }
}
