import { randomUUID } from 'node:crypto';
import { Cluster, type Redis } from 'ioredis';
import { HoldArguments } from './hold-arguments.js';
import { HoldBatches } from './hold-batches.js';
import { type RedisLimits, readNumbers } from './redis-limits.js';
import { assertAmount } from './pool-amounts.js';
import type { RedisConnection } from './redis-connection.js';
import * as scripts from './scripts/pool-scripts.js';
import { ScriptCommand } from './script-command.js';
import { REPORT_SLICES } from './scripts/slice-scripts.js';
import { EPOCH } from './scripts/state-scripts.js';
import { placeOnTwoNodes } from './two-node-holds.js';
import {
  StoreUnavailableError,
  type FilledPool,
  type HoldOutcome,
  type HoldRequest,
  type PoolRef,
  type PoolRemainder,
  type PoolReturn,
  type RegisteredHold,
  type SharedPools,
  type SliceAnswer,
  type SliceReport,
} from './shared-store.js';

const SCAN_COUNT = 500;
/** Maximum of calls one script releases or marks: a script blocks the store, and has the deadline of any other command. */
const MAX_CALLS = 250;

/** Pools and the hold registry in Redis. */
export class RedisPools implements SharedPools {
  readonly isRemote = true;
  private knownEpoch: string | undefined;
  private readonly batches = new HoldBatches(
    (requests) => this.placeAll(requests),
    // Keys of one script lie on one node: a cluster keeps users apart, a single server has them all.
    ({ userId }) => (this.gate.client instanceof Cluster ? userId : 0),
  );

  private readonly texts = new HoldArguments(this);

  constructor(
    private readonly gate: RedisConnection,
    private readonly prefix: string,
    private readonly limits: RedisLimits,
    /** Called before an epoch is loaded: an emptied store is claimed again, or turns out to belong to another installation. */
    private readonly claim: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /** False until the run of the store is known: nothing is placed before. */
  get isReady(): boolean {
    return this.knownEpoch !== undefined;
  }

  /** Run of the store as this process knows it. */
  get knownRun(): string | undefined {
    return this.knownEpoch;
  }

  /** After a lost connection the store may be another one: its run is loaded before anything is placed. */
  forgetEpoch(): void {
    this.knownEpoch = undefined;
  }

  async epoch(): Promise<string> {
    const current = await this.gate.run(() => this.gate.client.get(this.epochKey()));
    if (current !== null && current === this.knownEpoch) return current;
    return this.loadEpoch();
  }

  /** Loads the run of the store, and starts an epoch when the run is new or the store was emptied. */
  async loadEpoch(): Promise<string> {
    await this.claim();
    const run = await this.gate.run(() => this.readRun());
    const epoch = String(
      await this.gate.script(EPOCH, [this.epochKey()], [`${run}:`, `${run}:${randomUUID().slice(0, 13)}`]),
    );
    this.knownEpoch = epoch;
    return epoch;
  }

  place(request: HoldRequest): Promise<HoldOutcome> {
    try {
      assertAmount(request.amount);
      if (this.knownEpoch === undefined) throw new StoreUnavailableError('the shared store is not ready');
    } catch (fault) {
      return Promise.reject(fault as Error);
    }
    const elsewhere = request.limits === undefined ? [] : this.limits.partsElsewhere(request.limits);
    if (elsewhere.length === 0) return this.batches.add(request);
    return placeOnTwoNodes(request, elsewhere, {
      limits: this.limits,
      epoch: this.knownEpoch,
      place: (hold) => this.batches.add(hold),
    });
  }

  private async placeAll(requests: readonly HoldRequest[]): Promise<readonly HoldOutcome[]> {
    const epoch = this.knownEpoch;
    if (epoch === undefined) throw new StoreUnavailableError('the shared store is not ready');
    let text: ScriptCommand | undefined;
    for (const request of requests) {
      const caller = this.texts.ofCaller(request);
      const windows = this.texts.ofWindows(request.windows);
      if (text === undefined) {
        text = new ScriptCommand(caller.firstKey);
        text.addArg(epoch);
      }
      text.addKeys(caller.keys);
      text.addKeys(windows.keys);
      text.addArg(request.callId);
      text.addArg(request.amount);
      text.addArg(request.promptEstimate);
      text.addArgs(caller.args);
      text.addArgs(windows.args);
      const { callId, userId, owner, limits } = request;
      const limited = limits === undefined ? undefined : { callId, userId, owner, parts: limits };
      const { keys, args } = this.limits.argumentsOf(limited, epoch);
      text.addKeys(keys);
      text.addArgs(args);
    }
    if (text === undefined) return [];
    const answers = await this.gate.written(scripts.PLACE, text);
    if (typeof answers !== 'string')
      throw new StoreUnavailableError('the shared store answered something unknown');
    return answers.split('\n').map((answer) => readOutcome(answer, epoch));
  }

  async extend(callId: string, userId: number, _tokenId: number | null, by: number): Promise<boolean> {
    assertAmount(by);
    if (by === 0) return true;
    const keys = [this.poolKey({ userId, tokenId: null }), this.registryKey(userId)];
    return (await this.gate.script(scripts.EXTEND, keys, [callId, by])) === 1;
  }

  async fill(pool: PoolRef, amount: number, reservationId: string, epoch: string): Promise<boolean> {
    assertAmount(amount);
    if ((await this.epochBefore()) !== epoch) return false;
    return (await this.gate.script(scripts.FILL, [this.poolKey(pool)], [amount, reservationId, epoch])) === 1;
  }

  /** Like `epoch`, for callers that have not begun yet. */
  private async epochBefore(): Promise<string> {
    try {
      return await this.epoch();
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError)) throw cause;
      throw new StoreUnavailableError(cause.message, { cause, isUntouched: true });
    }
  }

  async report(reports: readonly SliceReport[]): Promise<readonly SliceAnswer[]> {
    if (!(this.gate.client instanceof Cluster)) return this.reportAll(reports);
    return (await Promise.all(reports.map((report) => this.reportAll([report])))).flat();
  }

  async slices(userId: number): Promise<number> {
    const key = this.poolKey({ userId, tokenId: null });
    return Number((await this.gate.run(() => this.gate.client.hget(key, 's'))) ?? 0);
  }

  private async reportAll(reports: readonly SliceReport[]): Promise<readonly SliceAnswer[]> {
    if (this.knownEpoch === undefined) throw new StoreUnavailableError('the shared store is not ready');
    const keys: string[] = [];
    const args: (string | number)[] = [this.knownEpoch];
    for (const { userId, tokenId, detached, ...slice } of reports) {
      for (const amount of [slice.used, Math.abs(slice.change), ...detached.map((call) => call.amount)])
        assertAmount(amount);
      const user = this.poolKey({ userId, tokenId: null });
      keys.push(user, this.registryKey(userId), tokenId === null ? user : this.poolKey({ userId, tokenId }));
      args.push(
        slice.sliceId,
        slice.sequence,
        slice.owner,
        tokenId ?? '',
        slice.used,
        slice.change,
        slice.least,
      );
      args.push(slice.closes ? 1 : 0, detached.length);
      for (const { callId, amount, promptEstimate, dispatched } of detached)
        args.push(callId, amount, promptEstimate, dispatched ? 1 : 0);
    }
    const answers = await this.gate.script(REPORT_SLICES, keys, args);
    if (!Array.isArray(answers) || answers.length !== reports.length)
      throw new StoreUnavailableError('the shared store answered something unknown');
    return answers.map(readSliceAnswer);
  }

  async settle(returns: readonly PoolReturn[]): Promise<void> {
    for (const { unused } of returns) assertAmount(unused);
    await this.forUsers(returns, async (perUser) => {
      const keys: string[] = [];
      const args: (string | number)[] = [];
      for (const [userId, own] of perUser) {
        keys.push(this.poolKey({ userId, tokenId: null }), this.registryKey(userId));
        args.push(own.length);
        for (const { callId, unused } of own) args.push(callId, unused);
      }
      await this.gate.script(scripts.SETTLE, keys, args);
    });
    const ends = returns.flatMap(({ callId, userId, limits }) =>
      limits === undefined ? [] : [{ callId, userId, parts: limits }],
    );
    if (ends.length > 0) await this.limits.settle(ends);
  }

  async markDispatched(
    calls: readonly { readonly callId: string; readonly userId: number }[],
  ): Promise<void> {
    await this.forUsers(calls, async (perUser) => {
      const keys = perUser.map(([userId]) => this.registryKey(userId));
      const args = perUser.flatMap(([, own]) => [own.length, ...own.map(({ callId }) => callId)]);
      await this.gate.script(scripts.MARK_DISPATCHED, keys, args);
    });
  }

  /** Keys of one script lie on one node: a cluster keeps users apart, a single server has them all. */
  private async forUsers<T extends { readonly userId: number }>(
    all: readonly T[],
    run: (perUser: readonly (readonly [number, readonly T[]])[]) => Promise<void>,
  ): Promise<void> {
    const isCluster = this.gate.client instanceof Cluster;
    for (let from = 0; from < all.length; from += MAX_CALLS) {
      const portion = all.slice(from, from + MAX_CALLS);
      const perUser = [...Map.groupBy(portion, ({ userId }) => userId)];
      await (isCluster ? Promise.all(perUser.map((one) => run([one]))) : run(perUser));
    }
  }

  async drain(pool: PoolRef, idleMs: number): Promise<PoolRemainder | null> {
    const answer = await this.gate.script(scripts.DRAIN, [this.poolKey(pool)], [idleMs, await this.epoch()]);
    if (!Array.isArray(answer)) return null;
    return { amount: Number(answer[0]), reservationId: String(answer[1]) };
  }

  async debit(pool: PoolRef, amount: number, reservationId: string): Promise<void> {
    assertAmount(Math.abs(amount));
    await this.gate.script(scripts.DEBIT, [this.poolKey(pool)], [-amount, reservationId]);
  }

  async discard({ pool, reservationId }: FilledPool): Promise<boolean> {
    return (await this.gate.script(scripts.DISCARD, [this.poolKey(pool)], [reservationId])) === 1;
  }

  async reservationsOf(pools: readonly PoolRef[]): Promise<readonly FilledPool[]> {
    // Asked together they travel together.
    const ids = await Promise.all(
      pools.map((pool) => this.gate.run(() => this.gate.client.hget(this.poolKey(pool), 'r'))),
    );
    return pools.flatMap((pool, index) => {
      const reservationId = ids[index];
      return typeof reservationId === 'string' ? [{ pool, reservationId }] : [];
    });
  }

  async *list(): AsyncIterable<PoolRef> {
    const form = new RegExp(`\\{u:(\\d+)\\}:p(?::(\\d+))?$`);
    for await (const key of this.scan(`${this.prefix}{u:*}:p*`)) {
      const match = form.exec(key);
      if (match)
        yield { userId: Number(match[1]), tokenId: match[2] === undefined ? null : Number(match[2]) };
    }
  }

  async *holdsOf(owner: string): AsyncIterable<RegisteredHold> {
    for await (const key of this.scan(`${this.prefix}{u:*}:h`)) {
      const userId = Number(/\{u:(\d+)\}/.exec(key)?.[1]);
      const holds = await this.gate.run(() => this.gate.client.hgetall(key));
      for (const [callId, text] of Object.entries(holds)) {
        const hold = readHold(callId, userId, text);
        if (hold.owner === owner) yield hold;
      }
    }
  }

  windowKey(key: string): string {
    return `${this.prefix}m:${key}`;
  }

  poolKey(pool: PoolRef): string {
    const user = `${this.prefix}{u:${pool.userId}}:p`;
    return pool.tokenId === null ? user : `${user}:${pool.tokenId}`;
  }

  registryKey(userId: number): string {
    return `${this.prefix}{u:${userId}}:h`;
  }

  private epochKey(): string {
    return `${this.prefix}epoch`;
  }

  private nodes(): Redis[] {
    return this.gate.client instanceof Cluster ? this.gate.client.nodes('master') : [this.gate.client];
  }

  private async readRun(): Promise<string> {
    const answers = await Promise.all(this.nodes().map((node) => node.info('server')));
    const runs = answers.map((text) => /^run_id:(\w+)/m.exec(text)?.[1]).filter((run) => run !== undefined);
    if (runs.length === 0) throw new StoreUnavailableError('the shared store does not say which run it is');
    // A cluster is a new store as soon as one of its masters is.
    return runs
      .map((run) => run.slice(0, 16))
      .sort()
      .join('');
  }

  private async *scan(pattern: string): AsyncIterable<string> {
    for (const node of this.nodes()) {
      let cursor = '0';
      do {
        const [next, keys] = await this.gate.run(() =>
          node.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT),
        );
        cursor = next;
        yield* keys;
      } while (cursor !== '0');
    }
  }
}

/** @param answer  see PLACE */
function readOutcome(answer: string, epoch: string): HoldOutcome {
  const [code, first = '', second = '', third = '', fourth = '', fifth] = answer.split('|');
  const reservation = (text: string): string | null => (text === '' ? null : text);
  switch (code) {
    case '0':
      return { kind: 'refused', index: Number(first), retryAfterMs: Number(second) };
    case '1':
      return {
        kind: 'short',
        userShort: Number(first),
        tokenShort: Number(second),
        epoch,
        userReservationId: reservation(third),
        tokenReservationId: reservation(fourth),
        slices: Number(fifth ?? 0),
      };
    case '2':
      return {
        kind: 'placed',
        userReservationId: first,
        tokenReservationId: reservation(second),
        epoch,
        ...(third === '' ? {} : { limitSums: readNumbers(third) }),
      };
    case '3':
    case '4':
      return { kind: code === '3' ? 'limit-full' : 'limit-unknown', indexes: readNumbers(first) };
    default:
      throw new StoreUnavailableError('the shared store answered something unknown');
  }
}

function readSliceAnswer(answer: unknown): SliceAnswer {
  if (!Array.isArray(answer)) throw new StoreUnavailableError('the shared store answered something unknown');
  const [code, amount, userReservationId = '', tokenReservationId = ''] = answer.map(String);
  if (code !== '1') return { kind: 'void' };
  return {
    kind: 'applied',
    amount: Number(amount),
    userReservationId,
    tokenReservationId: tokenReservationId === '' ? null : tokenReservationId,
  };
}

function readHold(callId: string, userId: number, text: string): RegisteredHold {
  const [
    amount,
    tokenId,
    owner,
    promptEstimate,
    dispatched,
    _placedAtMs,
    userReservationId,
    tokenReservationId,
    turn,
  ] = text.split('|');
  return {
    callId,
    userId,
    tokenId: tokenId === '' ? null : Number(tokenId),
    amount: Number(amount),
    owner: owner ?? '',
    promptEstimate: Number(promptEstimate),
    dispatched: dispatched === '1',
    userReservationId: userReservationId ?? '',
    tokenReservationId: tokenReservationId === '' ? null : (tokenReservationId ?? null),
    sequence: turn === undefined ? null : Number(turn),
  };
}
