import { Cluster } from 'ioredis';
import type { EncodedParts } from './script-command.js';
import { encodeParts } from './script-command.js';
import type { RedisConnection } from './redis-connection.js';
import * as scripts from './scripts/limit-scripts.js';
import type {
  LimitedCall,
  LimitEnd,
  LimitGrowth,
  LimitPart,
  LimitValue,
  LimitVerdict,
  RegisteredLimits,
  SharedLimits,
  WindowUse,
} from './shared-limits.js';
import { StoreUnavailableError } from './shared-store.js';

/** Most calls one script settles: a script blocks the store. */
const MAX_CALLS = 100;
const SCAN_COUNT = 500;
/** Entered calls are compared with the books until their bookings are old. */
const RESTORED_TTL_MS = 86_400_000;

/** Values of a day are kept a while longer: clocks of workers differ. */
const VALUES_TTL_MS = 2 * 86_400_000;

type Place = Pick<LimitPart, 'key' | 'isShared'> & { readonly userId: number };

/** Keys and arguments of the limits of a hold, for PLACE. */
export interface LimitArguments {
  readonly keys: EncodedParts;
  readonly args: EncodedParts;
}

const NO_LIMITS: LimitArguments = { keys: { text: '', count: 0 }, args: encodeParts([0]) };

/**
 * Windows of limits in Redis. Those of one account lie with its pools. Windows that accounts share lie there as well on a single server; on a
 * cluster they have a node of their own, and a call takes room in them by a trip before its hold.
 */
export class RedisLimits implements SharedLimits {
  constructor(
    private readonly gate: RedisConnection,
    private readonly prefix: string,
    private readonly currentEpoch: () => string | undefined,
    /** The run as the store has it now. */
    private readonly freshEpoch: () => Promise<string>,
  ) {}

  get epoch(): string | undefined {
    return this.currentEpoch();
  }

  private get isCluster(): boolean {
    return this.gate.client instanceof Cluster;
  }

  /** Parts that PLACE takes: on a cluster only those of the account. */
  placedParts(parts: readonly LimitPart[]): readonly LimitPart[] {
    return this.isCluster ? parts.filter(({ isShared }) => !isShared) : parts;
  }

  /** Parts that need a trip of their own before PLACE. */
  partsElsewhere(parts: readonly LimitPart[]): readonly LimitPart[] {
    return this.isCluster ? parts.filter(({ isShared }) => isShared) : [];
  }

  argumentsOf(call: LimitedCall | undefined, epoch: string): LimitArguments {
    const parts = call === undefined ? [] : this.placedParts(call.parts);
    if (call === undefined || parts.length === 0) return NO_LIMITS;
    const { userId } = call;
    const keys = [this.registryKey(userId), ...parts.map((part) => this.windowKey({ ...part, userId }))];
    return {
      keys: encodeParts(keys),
      args: encodeParts([parts.length, this.entryOf(call, parts, epoch), ...parts.flatMap(specOf)]),
    };
  }

  /** Takes room in windows of several accounts, on a cluster. Fails: StoreUnavailableError. */
  async takeElsewhere(call: LimitedCall, parts: readonly LimitPart[], epoch: string): Promise<LimitVerdict> {
    const keys = [this.sharedRegistry, ...parts.map((part) => this.windowKey({ ...part, userId: 0 }))];
    const args = [epoch, call.callId, this.entryOf(call, parts, epoch), ...parts.flatMap(specOf)];
    const answer = String(await this.gate.script(scripts.TAKE_LIMITS, keys, args));
    const [code, list = ''] = answer.split('|');
    const numbers = readNumbers(list);
    if (code === '2') return { kind: 'taken', sums: numbers };
    const all = call.parts;
    const indexes = numbers.map((index) => all.indexOf(parts[index] as LimitPart));
    return { kind: code === '3' ? 'limit-full' : 'limit-unknown', indexes };
  }

  async settle(ends: readonly LimitEnd[]): Promise<void> {
    for (let from = 0; from < ends.length; from += MAX_CALLS) {
      const portion = ends.slice(from, from + MAX_CALLS);
      const perRegistry = new Map<string, LimitEnd[]>();
      for (const end of portion) {
        for (const registry of this.registriesOf(end)) {
          const list = perRegistry.get(registry) ?? [];
          list.push(end);
          perRegistry.set(registry, list);
        }
      }
      const runs = this.isCluster ? [...perRegistry].map((one) => [one]) : [[...perRegistry]];
      await Promise.all(runs.map((run) => this.settleIn(run)));
    }
  }

  private async settleIn(perRegistry: readonly (readonly [string, readonly LimitEnd[]])[]): Promise<void> {
    const keys = perRegistry.map(([registry]) => registry);
    const args = perRegistry.flatMap(([, ends]) => [
      ends.length,
      ...ends.flatMap(({ callId, userId, parts }) => [
        callId,
        parts.length,
        ...parts.flatMap((part) => [this.windowKey({ ...part, userId }), part.used]),
      ]),
    ]);
    await this.gate.script(scripts.SETTLE_LIMITS, keys, args);
  }

  private registriesOf({ userId, parts }: LimitEnd): readonly string[] {
    if (!this.isCluster) return [this.registryKey(userId)];
    return [
      ...(parts.some(({ isShared }) => !isShared) ? [this.registryKey(userId)] : []),
      ...(parts.some(({ isShared }) => isShared) ? [this.sharedRegistry] : []),
    ];
  }

  async grow(callId: string, userId: number, growth: readonly LimitGrowth[]): Promise<number | null> {
    const groups = this.isCluster
      ? [growth.filter(({ isShared }) => !isShared), growth.filter(({ isShared }) => isShared)]
      : [growth];
    const done: (readonly LimitGrowth[])[] = [];
    for (const [index, group] of groups.entries()) {
      if (group.length === 0) continue;
      const registry = index === 0 ? this.registryKey(userId) : this.sharedRegistry;
      const full = await this.growIn(registry, { callId, userId }, group);
      if (full < 0) {
        done.push(group);
        continue;
      }
      for (const [other, grown] of done.entries())
        await this.growIn(
          other === 0 ? this.registryKey(userId) : this.sharedRegistry,
          { callId, userId },
          grown.map((part) => ({ ...part, by: -part.by })),
        );
      return growth.indexOf(group[full] as LimitGrowth);
    }
    return null;
  }

  private async growIn(
    registry: string,
    { callId, userId }: { readonly callId: string; readonly userId: number },
    growth: readonly LimitGrowth[],
  ): Promise<number> {
    const keys = [registry, ...growth.map((part) => this.windowKey({ ...part, userId }))];
    const args = growth.flatMap(({ field, from, amount, by }) => [field, from, amount, by]);
    return Number(await this.gate.script(scripts.GROW_LIMITS, keys, [callId, this.known(), ...args]));
  }

  async restore(calls: readonly LimitedCall[], owner: string): Promise<void> {
    const epoch = this.known();
    for (let from = 0; from < calls.length; from += MAX_CALLS)
      await Promise.all(
        calls
          .slice(from, from + MAX_CALLS)
          .flatMap((call) => [
            this.restoreIn(this.registryKey(call.userId), call, this.placedParts(call.parts), epoch),
            this.restoreIn(this.sharedRegistry, call, this.partsElsewhere(call.parts), epoch),
          ]),
      );
    if (calls.length > 0)
      await this.gate.run(() => this.gate.client.pexpire(this.restoredKey(epoch), RESTORED_TTL_MS));
    await this.gate.run(() => this.gate.client.hset(this.ownersKey, owner, epoch));
  }

  private async restoreIn(
    registry: string,
    call: LimitedCall,
    parts: readonly LimitPart[],
    epoch: string,
  ): Promise<void> {
    if (parts.length === 0) return;
    const { userId, callId } = call;
    const keys = [registry, ...parts.map((part) => this.windowKey({ ...part, userId }))];
    const specs = parts.flatMap(({ field, need, ttlMs }) => [field, need, ttlMs]);
    const entry = this.entryOf(call, parts, epoch);
    await this.gate.script(scripts.RESTORE_LIMITS, keys, [epoch, callId, entry, ...specs]);
    const restored = this.restoredKey(epoch);
    await this.gate.run(() => this.gate.client.hset(restored, `${userId}|${callId}`, entry));
  }

  async restoredOwners(): Promise<ReadonlySet<string>> {
    const epoch = this.known();
    const all = await this.gate.run(() => this.gate.client.hgetall(this.ownersKey));
    return new Set(Object.entries(all).flatMap(([owner, of]) => (of === epoch ? [owner] : [])));
  }

  async restoredCalls(): Promise<readonly RegisteredLimits[]> {
    const all = await this.gate.run(() => this.gate.client.hgetall(this.restoredKey(this.known())));
    return Object.entries(all).map(([name, text]) => {
      const at = name.indexOf('|');
      return this.readEntry(name.slice(at + 1), Number(name.slice(0, at)), text);
    });
  }

  async fill({ uses, ttlMs, ...place }: WindowUse, epoch: string): Promise<boolean> {
    if ((await this.freshEpoch()) !== epoch) return false;
    const args = [...uses].flatMap(([field, used]) => [field, used]);
    await this.gate.script(scripts.FILL_LIMIT, [this.windowKey(place)], [epoch, ttlMs, ...args]);
    return true;
  }

  async enterValue({ limitId, userId, dayMs, value }: LimitValue, most: number): Promise<boolean> {
    const key = `${this.prefix}${SHARED_TAG}:values:${limitId}:${userId}:${dayMs}`;
    return Number(await this.gate.script(scripts.ENTER_VALUE, [key], [value, most, VALUES_TTL_MS])) === 1;
  }

  async correct({
    field,
    by,
    ...place
  }: Place & { readonly field: number; readonly by: number }): Promise<void> {
    await this.gate.script(scripts.CORRECT_LIMIT, [this.windowKey(place)], [this.known(), field, by]);
  }

  async read(place: Place): Promise<ReadonlyMap<number, number> | undefined> {
    const all = await this.gate.run(() => this.gate.client.hgetall(this.windowKey(place)));
    if (all['e'] !== this.epoch) return undefined;
    return new Map(
      Object.entries(all).flatMap(([field, sum]) =>
        /^\d+$/.test(field) ? [[Number(field), Number(sum)]] : [],
      ),
    );
  }

  async *callsOf(owner: string): AsyncIterable<RegisteredLimits> {
    for await (const key of this.registries()) {
      const userId = Number(/\{u:(\d+)\}/.exec(key)?.[1] ?? 0);
      const calls = await this.gate.run(() => this.gate.client.hgetall(key));
      for (const [callId, text] of Object.entries(calls)) {
        const call = this.readEntry(callId, userId, text);
        if (call.owner === owner) yield call;
      }
    }
  }

  private async *registries(): AsyncIterable<string> {
    const { client } = this.gate;
    yield this.sharedRegistry;
    for (const node of client instanceof Cluster ? client.nodes('master') : [client]) {
      let cursor = '0';
      do {
        const [next, keys] = await this.gate.run(() =>
          node.scan(cursor, 'MATCH', `${this.prefix}{u:*}:lh`, 'COUNT', SCAN_COUNT),
        );
        cursor = next;
        yield* keys;
      } while (cursor !== '0');
    }
  }

  private entryOf({ userId, owner }: LimitedCall, parts: readonly LimitPart[], epoch: string): string {
    const held = parts.map((part) => [
      this.windowKey({ ...part, userId }),
      String(part.field),
      String(part.need),
    ]);
    return JSON.stringify([epoch, owner, held]);
  }

  private readEntry(callId: string, userId: number, text: string): RegisteredLimits {
    const [, owner, held] = JSON.parse(text) as [string, string, [string, string, string][]];
    const parts = held.map(([key, field, need]) => ({
      key: key.slice(key.indexOf(WINDOW_MARK) + WINDOW_MARK.length),
      isShared: key.startsWith(`${this.prefix}${SHARED_TAG}`),
      field: Number(field),
      need: Number(need),
    }));
    return { callId, userId, owner, parts };
  }

  private known(): string {
    const { epoch } = this;
    if (epoch === undefined) throw new StoreUnavailableError('the shared store is not ready');
    return epoch;
  }

  /** On a single server the registry names windows of several accounts beside those of the account. */
  private windowKey({ key, isShared, userId }: Place): string {
    return `${this.prefix}${isShared ? SHARED_TAG : `{u:${userId}}`}${WINDOW_MARK}${key}`;
  }

  private registryKey(userId: number): string {
    return `${this.prefix}{u:${userId}}:lh`;
  }

  private get sharedRegistry(): string {
    return `${this.prefix}${SHARED_TAG}:lh`;
  }

  private get ownersKey(): string {
    return `${this.prefix}${SHARED_TAG}:owners`;
  }

  private restoredKey(epoch: string): string {
    return `${this.prefix}${SHARED_TAG}:restored:${epoch}`;
  }
}

const SHARED_TAG = '{limits}';
const WINDOW_MARK = ':l:';

const specOf = ({ field, from, need, amount, ttlMs }: LimitPart): readonly number[] => [
  field,
  from,
  need,
  amount,
  ttlMs,
];

/** A list of numbers between commas. */
export const readNumbers = (list: string): number[] => (list === '' ? [] : list.split(',').map(Number));
