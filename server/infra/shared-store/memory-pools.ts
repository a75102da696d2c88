import { getOrAdd } from '../../common/get-or-add.js';
import type { Clock } from '../../common/clock.js';
import type { MemoryLimits } from './memory-limits.js';
import type { MemoryWindows } from './memory-windows.js';
import type { LimitedCall } from './shared-limits.js';
import { assertAmount } from './pool-amounts.js';
import type {
  FilledPool,
  HoldOutcome,
  HoldRequest,
  PoolRef,
  PoolRemainder,
  PoolReturn,
  RegisteredHold,
  SharedPools,
  SliceAnswer,
  SliceReport,
} from './shared-store.js';

interface Pool {
  readonly ref: PoolRef;
  readonly reservationId: string;
  balance: number;
  holds: number;
  slices: number;
  usedAtMs: number;
}

interface StoredHold extends RegisteredHold {
  amount: number;
  dispatched: boolean;
  sequence: number | null;
}

/** A slice never takes more of what a pool has left than this part. */
const SLICE_PART = 4;

/** The pools of one account: its own, and those of its limited tokens. */
interface AccountPools {
  own: Pool | undefined;
  readonly tokens: Map<number, Pool>;
}

/** Pools of a single process. Each operation runs without a pause, so it is as atomic as the Redis scripts. */
export class MemoryPools implements SharedPools {
  readonly isRemote = false;
  private readonly accounts = new Map<number, AccountPools>();
  private readonly holds = new Map<string, StoredHold>();

  constructor(
    private readonly clock: Clock,
    private readonly beside: { readonly windows: MemoryWindows; readonly limits: MemoryLimits },
    /** A process is one run of its store. */
    private readonly currentEpoch: string,
  ) {}

  async epoch(): Promise<string> {
    return this.currentEpoch;
  }

  place(request: HoldRequest): HoldOutcome {
    assertAmount(request.amount);
    const known = this.holds.get(request.callId);
    if (known !== undefined) return this.placed(known);
    for (let index = 0; index < request.windows.length; index += 1) {
      const window = request.windows[index] as HoldRequest['windows'][number];
      const verdict = this.beside.windows.look(window.key, window.limit, window.windowMs);
      if (!verdict.admitted) return { kind: 'refused', index, retryAfterMs: verdict.retryAfterMs };
    }
    const limited = limitedCall(request);
    const room = limited === undefined ? undefined : this.beside.limits.look(limited);
    if (room !== undefined && room.kind !== 'taken') return room;
    const { userId, tokenId, amount } = request;
    const userPool = this.find(userId, null);
    const tokenPool = tokenId === null ? undefined : this.find(userId, tokenId);
    const userShort = Math.max(0, amount - (userPool?.balance ?? 0));
    const tokenShort = tokenId === null ? 0 : Math.max(0, amount - (tokenPool?.balance ?? 0));
    if (userShort > 0 || tokenShort > 0) {
      return {
        kind: 'short',
        userShort,
        tokenShort,
        epoch: this.currentEpoch,
        userReservationId: userPool?.reservationId ?? null,
        tokenReservationId: tokenPool?.reservationId ?? null,
        slices: userPool?.slices ?? 0,
      };
    }
    const placed = this.register(request, userPool, tokenPool);
    if (limited === undefined) return placed;
    this.beside.limits.take(limited);
    return { ...placed, ...(room === undefined ? {} : { limitSums: room.sums }) };
  }

  async extend(callId: string, _userId: number, _tokenId: number | null, by: number): Promise<boolean> {
    assertAmount(by);
    const hold = this.holds.get(callId);
    if (hold === undefined) return false;
    const userPool = this.poolOf(hold.userId, null, hold.userReservationId);
    const tokenPool = this.tokenPoolOf(hold);
    if (userPool === undefined && tokenPool === undefined) return by === 0;
    if (isShort(userPool, by) || isShort(tokenPool, by)) return by === 0;
    this.move(userPool, -by, 0);
    this.move(tokenPool, -by, 0);
    hold.amount += by;
    return true;
  }

  async fill(ref: PoolRef, amount: number, reservationId: string, epoch: string): Promise<boolean> {
    assertAmount(amount);
    if (epoch !== this.currentEpoch) return false;
    const pool = this.find(ref.userId, ref.tokenId);
    if (pool === undefined) {
      this.keep({
        ref,
        reservationId,
        balance: amount,
        holds: 0,
        slices: 0,
        usedAtMs: this.clock.nowMs(),
      });
      return true;
    }
    if (pool.reservationId !== reservationId) return false;
    this.move(pool, amount, 0);
    return true;
  }

  async settle(returns: readonly PoolReturn[]): Promise<void> {
    for (const { callId, userId, unused, limits } of returns) {
      assertAmount(unused);
      if (limits !== undefined) await this.beside.limits.settle([{ callId, userId, parts: limits }]);
      const hold = this.holds.get(callId);
      if (hold === undefined) continue;
      this.holds.delete(callId);
      const back = Math.min(unused, hold.amount);
      const userPool = this.poolOf(hold.userId, null, hold.userReservationId);
      this.move(userPool, back, -1);
      this.move(this.tokenPoolOf(hold), back, -1);
      if (hold.sequence !== null && userPool !== undefined) userPool.slices -= 1;
    }
  }

  async report(reports: readonly SliceReport[]): Promise<readonly SliceAnswer[]> {
    return reports.map((report) => this.reportOne(report));
  }

  async slices(userId: number): Promise<number> {
    return this.find(userId, null)?.slices ?? 0;
  }

  async markDispatched(callIds: readonly { readonly callId: string }[]): Promise<void> {
    for (const { callId } of callIds) {
      const hold = this.holds.get(callId);
      if (hold !== undefined) hold.dispatched = true;
    }
  }

  async drain(ref: PoolRef, idleMs: number): Promise<PoolRemainder | null> {
    const pool = this.find(ref.userId, ref.tokenId);
    if (pool === undefined || pool.usedAtMs > this.clock.nowMs() - idleMs) return null;
    const amount = Math.max(0, pool.balance);
    pool.balance -= amount;
    if (pool.holds === 0 && pool.balance === 0) this.forget(ref);
    return { amount, reservationId: pool.reservationId };
  }

  async debit(ref: PoolRef, amount: number, reservationId: string): Promise<void> {
    assertAmount(Math.abs(amount));
    const pool = this.find(ref.userId, ref.tokenId);
    if (pool?.reservationId === reservationId) pool.balance -= amount;
  }

  async discard({ pool, reservationId }: FilledPool): Promise<boolean> {
    if (this.find(pool.userId, pool.tokenId)?.reservationId !== reservationId) return false;
    this.forget(pool);
    return true;
  }

  async reservationsOf(pools: readonly PoolRef[]): Promise<readonly FilledPool[]> {
    return pools.flatMap((pool) => {
      const found = this.find(pool.userId, pool.tokenId);
      return found === undefined ? [] : [{ pool, reservationId: found.reservationId }];
    });
  }

  async *list(): AsyncIterable<PoolRef> {
    const all = [...this.accounts.values()].flatMap(({ own, tokens }) => [own, ...tokens.values()]);
    for (const pool of all) if (pool !== undefined) yield pool.ref;
  }

  async *holdsOf(owner: string): AsyncIterable<RegisteredHold> {
    for (const hold of [...this.holds.values()]) if (hold.owner === owner) yield { ...hold };
  }

  private reportOne(report: SliceReport): SliceAnswer {
    const { sliceId, sequence, used, detached, closes } = report;
    for (const amount of [used, Math.abs(report.change), ...detached.map((call) => call.amount)])
      assertAmount(amount);
    const known = this.holds.get(sliceId);
    if (known === undefined && sequence !== 1) return { kind: 'void' };
    if (known !== undefined && (known.sequence ?? 0) >= sequence) return applied(known);
    const userPool = this.find(report.userId, null);
    const tokenPool = report.tokenId === null ? undefined : this.find(report.userId, report.tokenId);
    const slice = known ?? this.openSlice(report, userPool, tokenPool);
    if (
      slice === undefined ||
      userPool?.reservationId !== slice.userReservationId ||
      (tokenPool?.reservationId ?? null) !== slice.tokenReservationId
    ) {
      this.holds.delete(sliceId);
      return { kind: 'void' };
    }
    slice.sequence = sequence;
    slice.amount -= used;
    for (const call of detached) {
      this.holds.set(call.callId, { ...slice, ...call, sequence: null });
      slice.amount -= call.amount;
      this.move(userPool, 0, 1);
      this.move(tokenPool, 0, 1);
    }
    const room = Math.floor(Math.min(userPool.balance, tokenPool?.balance ?? Infinity) / SLICE_PART);
    const wanted = Math.min(report.change, Math.max(0, room));
    const change = closes ? -slice.amount : wanted >= 0 && wanted < report.least ? 0 : wanted;
    slice.amount += change;
    const isGone = closes || (sequence === 1 && slice.amount === 0);
    const holds = (known === undefined ? 1 : 0) - (isGone ? 1 : 0);
    this.move(userPool, -change, holds);
    this.move(tokenPool, -change, holds);
    userPool.slices += holds;
    if (isGone) this.holds.delete(sliceId);
    else this.holds.set(sliceId, slice);
    return applied(slice);
  }

  private openSlice(
    { sliceId, userId, tokenId, owner, sequence }: SliceReport,
    userPool: Pool | undefined,
    tokenPool: Pool | undefined,
  ): StoredHold | undefined {
    if (userPool === undefined || (tokenId !== null && tokenPool === undefined)) return undefined;
    return {
      callId: sliceId,
      userId,
      tokenId,
      owner,
      sequence,
      amount: 0,
      promptEstimate: 0,
      dispatched: false,
      userReservationId: userPool.reservationId,
      tokenReservationId: tokenPool?.reservationId ?? null,
    };
  }

  private register(
    request: HoldRequest,
    userPool: Pool | undefined,
    tokenPool: Pool | undefined,
  ): PlacedOutcome {
    for (const window of request.windows)
      if (window.mode === 'count') this.beside.windows.add(window.key, window.windowMs);
    this.move(userPool, -request.amount, 1);
    this.move(tokenPool, -request.amount, 1);
    const hold: StoredHold = {
      callId: request.callId,
      userId: request.userId,
      tokenId: request.tokenId,
      amount: request.amount,
      owner: request.owner,
      promptEstimate: request.promptEstimate,
      dispatched: false,
      userReservationId: userPool?.reservationId ?? '',
      tokenReservationId: tokenPool?.reservationId ?? null,
      sequence: null,
    };
    this.holds.set(request.callId, hold);
    return this.placed(hold);
  }

  private placed(hold: RegisteredHold): PlacedOutcome {
    return {
      kind: 'placed',
      userReservationId: hold.userReservationId,
      tokenReservationId: hold.tokenReservationId,
      epoch: this.currentEpoch,
    };
  }

  private find(userId: number, tokenId: number | null): Pool | undefined {
    const account = this.accounts.get(userId);
    return tokenId === null ? account?.own : account?.tokens.get(tokenId);
  }

  private keep(pool: Pool): void {
    const { userId, tokenId } = pool.ref;
    const account = getOrAdd(this.accounts, userId, () => ({ own: undefined, tokens: new Map() }));
    if (tokenId === null) account.own = pool;
    else account.tokens.set(tokenId, pool);
  }

  private forget({ userId, tokenId }: PoolRef): void {
    const account = this.accounts.get(userId);
    if (account === undefined) return;
    if (tokenId === null) account.own = undefined;
    else account.tokens.delete(tokenId);
    if (account.own === undefined && account.tokens.size === 0) this.accounts.delete(userId);
  }

  /** The pool a hold was taken from; another one under its name, filled since, is not affected by the hold. */
  private poolOf(userId: number, tokenId: number | null, reservationId: string | null): Pool | undefined {
    const pool = this.find(userId, tokenId);
    return pool?.reservationId === reservationId ? pool : undefined;
  }

  private tokenPoolOf(hold: RegisteredHold): Pool | undefined {
    return hold.tokenId === null
      ? undefined
      : this.poolOf(hold.userId, hold.tokenId, hold.tokenReservationId);
  }

  private move(pool: Pool | undefined, amount: number, holds: number): void {
    if (pool === undefined) return;
    pool.balance += amount;
    pool.holds += holds;
    pool.usedAtMs = this.clock.nowMs();
  }
}

type PlacedOutcome = Extract<HoldOutcome, { kind: 'placed' }>;

const limitedCall = ({ callId, userId, owner, limits }: HoldRequest): LimitedCall | undefined =>
  limits === undefined || limits.length === 0 ? undefined : { callId, userId, owner, parts: limits };

const isShort = (pool: Pool | undefined, by: number): boolean => pool !== undefined && pool.balance < by;

const applied = ({ amount, userReservationId, tokenReservationId }: StoredHold): SliceAnswer => ({
  kind: 'applied',
  amount,
  userReservationId,
  tokenReservationId,
});
