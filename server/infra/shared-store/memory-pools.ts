import type { Clock } from '../../relay-core/ports/clock.js';
import type { MemoryWindows } from './memory-windows.js';
import { assertAmount } from './pool-amounts.js';
import type {
  HoldOutcome,
  HoldRequest,
  PoolRef,
  PoolRest,
  PoolReturn,
  RegisteredHold,
  SharedPools,
} from './shared-store.js';

interface Pool {
  readonly ref: PoolRef;
  readonly reservationId: string;
  balance: number;
  holds: number;
  usedAtMs: number;
}

interface StoredHold extends RegisteredHold {
  amount: number;
  dispatched: boolean;
}

const poolKey = (ref: PoolRef): string => `${ref.userId}:${ref.tokenId ?? ''}`;

/** Pools of a single process. Each operation runs without a pause, so it is as atomic as the Redis scripts. */
export class MemoryPools implements SharedPools {
  private readonly pools = new Map<string, Pool>();
  private readonly holds = new Map<string, StoredHold>();

  constructor(
    private readonly clock: Clock,
    private readonly windows: MemoryWindows,
    /** A process is one run of its store. */
    private readonly currentEpoch: string,
  ) {}

  async epoch(): Promise<string> {
    return this.currentEpoch;
  }

  async place(request: HoldRequest): Promise<HoldOutcome> {
    assertAmount(request.amount);
    const known = this.holds.get(request.callId);
    if (known !== undefined) return this.placed(known);
    for (const [index, window] of request.windows.entries()) {
      const verdict = this.windows.look(window.key, window.limit, window.windowMs);
      if (!verdict.admitted) return { kind: 'refused', index, retryAfterMs: verdict.retryAfterMs };
    }
    const userPool = this.pools.get(poolKey({ userId: request.userId, tokenId: null }));
    const tokenPool =
      request.tokenId === null
        ? undefined
        : this.pools.get(poolKey({ userId: request.userId, tokenId: request.tokenId }));
    const userShort = Math.max(0, request.amount - (userPool?.balance ?? 0));
    const tokenShort = request.tokenId === null ? 0 : Math.max(0, request.amount - (tokenPool?.balance ?? 0));
    if (userShort > 0 || tokenShort > 0) {
      return {
        kind: 'short',
        userShort,
        tokenShort,
        epoch: this.currentEpoch,
        userReservationId: userPool?.reservationId ?? null,
        tokenReservationId: tokenPool?.reservationId ?? null,
      };
    }
    return this.register(request, userPool, tokenPool);
  }

  async extend(callId: string, _userId: number, _tokenId: number | null, by: number): Promise<boolean> {
    assertAmount(by);
    const hold = this.holds.get(callId);
    if (hold === undefined) return false;
    const pools = this.poolsOf(hold);
    if (pools.length === 0 || pools.some((pool) => pool.balance < by)) return by === 0;
    for (const pool of pools) this.move(pool, -by, 0);
    hold.amount += by;
    return true;
  }

  async fill(ref: PoolRef, amount: number, reservationId: string, epoch: string): Promise<boolean> {
    assertAmount(amount);
    if (epoch !== this.currentEpoch) return false;
    const pool = this.pools.get(poolKey(ref));
    if (pool === undefined) {
      this.pools.set(poolKey(ref), {
        ref,
        reservationId,
        balance: amount,
        holds: 0,
        usedAtMs: this.clock.nowMs(),
      });
      return true;
    }
    if (pool.reservationId !== reservationId) return false;
    this.move(pool, amount, 0);
    return true;
  }

  async settle(returns: readonly PoolReturn[]): Promise<void> {
    for (const { callId, unused } of returns) {
      assertAmount(unused);
      const hold = this.holds.get(callId);
      if (hold === undefined) continue;
      this.holds.delete(callId);
      for (const pool of this.poolsOf(hold)) this.move(pool, Math.min(unused, hold.amount), -1);
    }
  }

  async markDispatched(callIds: readonly { readonly callId: string }[]): Promise<void> {
    for (const { callId } of callIds) {
      const hold = this.holds.get(callId);
      if (hold !== undefined) hold.dispatched = true;
    }
  }

  async drain(ref: PoolRef, idleMs: number): Promise<PoolRest | null> {
    const pool = this.pools.get(poolKey(ref));
    if (pool === undefined || pool.usedAtMs > this.clock.nowMs() - idleMs) return null;
    const amount = Math.max(0, pool.balance);
    pool.balance -= amount;
    if (pool.holds === 0 && pool.balance === 0) this.pools.delete(poolKey(ref));
    return { amount, reservationId: pool.reservationId, holds: pool.holds };
  }

  async debit(ref: PoolRef, amount: number, reservationId: string): Promise<void> {
    assertAmount(Math.abs(amount));
    const pool = this.pools.get(poolKey(ref));
    if (pool?.reservationId === reservationId) pool.balance -= amount;
  }

  async *list(): AsyncIterable<PoolRef> {
    for (const pool of [...this.pools.values()]) yield pool.ref;
  }

  async *holdsOf(owner: string): AsyncIterable<RegisteredHold> {
    for (const hold of [...this.holds.values()]) if (hold.owner === owner) yield { ...hold };
  }

  private register(
    request: HoldRequest,
    userPool: Pool | undefined,
    tokenPool: Pool | undefined,
  ): HoldOutcome {
    for (const window of request.windows)
      if (window.mode === 'count') this.windows.add(window.key, window.windowMs);
    for (const pool of [userPool, tokenPool]) if (pool !== undefined) this.move(pool, -request.amount, 1);
    const hold: StoredHold = {
      callId: request.callId,
      userId: request.userId,
      tokenId: request.tokenId,
      amount: request.amount,
      owner: request.owner,
      promptEstimate: request.promptEstimate,
      dispatched: false,
      placedAtMs: this.clock.nowMs(),
      userReservationId: userPool?.reservationId ?? '',
      tokenReservationId: tokenPool?.reservationId ?? null,
    };
    this.holds.set(request.callId, hold);
    return this.placed(hold);
  }

  private placed(hold: RegisteredHold): HoldOutcome {
    return {
      kind: 'placed',
      userReservationId: hold.userReservationId,
      tokenReservationId: hold.tokenReservationId,
      epoch: this.currentEpoch,
    };
  }

  private poolsOf(hold: RegisteredHold): Pool[] {
    const pairs = [
      [null, hold.userReservationId],
      [hold.tokenId, hold.tokenReservationId],
    ] as const;
    return pairs.flatMap(([tokenId, reservationId], index) => {
      if (index === 1 && tokenId === null) return [];
      const pool = this.pools.get(poolKey({ userId: hold.userId, tokenId }));
      return pool !== undefined && pool.reservationId === reservationId ? [pool] : [];
    });
  }

  private move(pool: Pool, amount: number, holds: number): void {
    pool.balance += amount;
    pool.holds += holds;
    pool.usedAtMs = this.clock.nowMs();
  }
}
