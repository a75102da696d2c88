import { Injectable } from '@nestjs/common';
import { fail, ok, type Result } from '../../../common/result.js';
import { refusal, requestRefusal } from '../../../relay-core/model/refusals.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import {
  ChannelPicker,
  type PickInput,
  type RequiredAccount,
  type Route,
} from '../../../relay-core/ports/channel-picker.js';
import { ChannelCircuitBreaker } from '../state/channel-circuit-breaker.js';
import { type Candidate, candidateOf, ChannelSnapshot, type Tier } from '../state/channel-snapshot.js';
import { ChannelSnapshotStore } from '../state/channel-snapshot.store.js';
import type { RingKey } from '../state/key-ring.js';
export type { PickInput } from '../../../relay-core/ports/channel-picker.js';

/** Added to every weight, so that a channel of weight 0 still gets calls. */
const BASE_WEIGHT = 10;

/** Weight of a channel in the draw. */
export const effectiveWeight = (item: Weighted): number => Math.max(0, item.weight) + BASE_WEIGHT;

/** Chooses from the snapshot in memory: no I/O while a call waits. */
@Injectable()
export class CachedChannelPicker extends ChannelPicker {
  /** Channel with several keys in turn → how often a key was taken. Per process: instances take turns on their own. */
  private readonly turns = new Map<number, number>();

  constructor(
    private readonly snapshots: ChannelSnapshotStore,
    private readonly rest: ChannelCircuitBreaker,
  ) {
    super();
  }

  override view(): ChannelSnapshot {
    return this.snapshots.current();
  }

  override pick(input: PickInput): Result<Route, RelayError> {
    const snapshot = input.view instanceof ChannelSnapshot ? input.view : this.snapshots.current();
    const { caller, model, attempt, boundChannelId, requiredAccount, promptTokens, isNative } = input;
    if (caller.pinnedChannelId !== null) return this.pickPinned(snapshot, input, caller.pinnedChannelId);
    const all = withRoom(this.stillRoutable(snapshot, snapshot.tiersOf(caller.group, model)), input);
    const tiers = promptTokens === undefined ? all : snapshot.tiersFor(promptTokens, all);
    if (tiers.length === 0 && all.length > 0) return fail(promptTooLong(snapshot, all, promptTokens ?? 0));
    const kept =
      requiredAccount === undefined ? undefined : this.pickRequired(tiers.flat(), requiredAccount, input);
    if (kept !== undefined) return kept;
    // Nearly every call: the first attempt, with no open circuit.
    if (attempt === 0 && boundChannelId === undefined && this.rest.isQuiet) {
      const first = chooseWeighted(nativeFirst(tiers[0] ?? [], isNative), Math.random());
      if (first !== undefined) return ok(this.take(first));
    }
    if (tiers.length === 0 && (input.passedOver?.length ?? 0) > 0) return fail(refusal('none-left'));
    if (tiers.length === 0) return fail(noChannel(snapshot, caller.group, model));
    const isResting = (candidate: Candidate): boolean => this.isResting(candidate);
    const bound =
      boundChannelId === undefined || attempt > 0 ? undefined : findCandidate(tiers, boundChannelId);
    if (bound !== undefined && !isResting(bound)) return ok(this.take(bound));
    const chosen = choose({ tiers, attempt, tried: input.tried, isResting, isNative });
    return chosen === undefined ? fail(refusal('none-left')) : ok(this.take(chosen));
  }

  /** Checks that a channel serves the model to the group now. Fails: channel-unavailable. */
  checkServed(group: string, model: string): Result<true, RelayError> {
    const snapshot = this.snapshots.current();
    return snapshot.tiersOf(group, model).length > 0 ? ok(true) : fail(noChannel(snapshot, group, model));
  }

  override hasUntried({ caller, model, tried }: Pick<PickInput, 'caller' | 'model' | 'tried'>): boolean {
    if (caller.pinnedChannelId !== null) return false;
    return this.snapshots
      .current()
      .tiersOf(caller.group, model)
      .some((tier) => tier.some((one) => !tried.includes(one.route.channelId) && !this.isResting(one)));
  }

  override isOn(place: RequiredAccount): boolean {
    const channel = this.snapshots.current().channel(place.channelId);
    return channel !== undefined && routesAt([candidateOf(channel, '', 0)], place).length > 0;
  }

  override modelsOf(group: string): readonly string[] {
    return this.snapshots.current().modelsOf(group);
  }

  /** A call keeps the channels it began with, but for those that are gone or off by now. */
  private stillRoutable(snapshot: ChannelSnapshot, tiers: readonly Tier[]): readonly Tier[] {
    const now = this.snapshots.current();
    if (now === snapshot) return tiers;
    return tiers
      .map((tier) => tier.filter(({ route }) => now.channel(route.channelId) !== undefined))
      .filter((tier) => tier.length > 0);
  }

  /** A channel with several keys rests when all of them do. */
  private isResting({ route, ring }: Candidate): boolean {
    const { channelId, upstreamModel: model } = route;
    if (ring === undefined) return this.rest.isResting({ channelId, model });
    return ring.keys.every(({ index }) => this.rest.isResting({ channelId, keyIndex: index, model }));
  }

  /** @returns undefined when none of the candidates leads there */
  private pickRequired(
    candidates: readonly Candidate[],
    place: RequiredAccount,
    { attempt }: PickInput,
  ): Result<Route, RelayError> | undefined {
    const routes = routesAt(candidates, place);
    if (routes.length === 0) return undefined;
    const awake = routes.find(
      ({ channelId, keyIndex, upstreamModel }) =>
        !this.rest.isResting({ channelId, keyIndex, model: upstreamModel }),
    );
    const chosen = attempt === 0 ? (awake ?? routes[0]) : attempt < MAX_AT_ONE_PLACE ? awake : undefined;
    if (chosen === undefined) return fail(refusal('none-left'));
    const { channelId, keyIndex, upstreamModel } = chosen;
    if (!this.rest.isQuiet || keyIndex !== undefined)
      this.rest.claim({ channelId, keyIndex, model: upstreamModel });
    return ok(chosen);
  }

  /** The route of a chosen channel, with the key whose turn it is. */
  private take({ route, ring }: Candidate): Route {
    const { channelId, upstreamModel: model } = route;
    if (ring === undefined) {
      if (!this.rest.isQuiet) this.rest.claim({ channelId, model });
      return route;
    }
    const awake = ring.keys.filter(
      ({ index }) => !this.rest.isResting({ channelId, keyIndex: index, model }),
    );
    const keys = awake.length === 0 ? ring.keys : awake;
    const key =
      ring.mode === 'random'
        ? keys[Math.floor(Math.random() * keys.length)]
        : this.nextRoundRobin(channelId, keys);
    if (key === undefined) return route;
    this.rest.claim({ channelId, keyIndex: key.index, model });
    return { ...route, credential: key.credential, keyIndex: key.index };
  }

  /** The key behind the one taken last, so that a key that rests or comes back does not upset the order. */
  private nextRoundRobin(channelId: number, keys: readonly RingKey[]): RingKey | undefined {
    const last = this.turns.get(channelId) ?? -1;
    const next = keys.find(({ index }) => index > last) ?? keys[0];
    if (next !== undefined) this.turns.set(channelId, next.index);
    return next;
  }

  /** A pinned call goes to its channel only, once, and still obeys group and model. */
  private pickPinned(
    snapshot: ChannelSnapshot,
    input: PickInput,
    channelId: number,
  ): Result<Route, RelayError> {
    const { caller, model, tried, requiredAccount } = input;
    if (tried.includes(channelId) || input.passedOver?.includes(channelId) === true) {
      return fail(refusal('none-left'));
    }
    const channel = snapshot.channel(channelId);
    if (channel === undefined || this.snapshots.current().channel(channelId) === undefined) {
      return fail(refusal('chosen-channel-gone', { channel: channelId }));
    }
    const serves = findCandidate(snapshot.tiersOf(caller.group, model), channelId) !== undefined;
    if (serves) {
      const candidate = candidateOf(channel, model, 0);
      const kept =
        requiredAccount === undefined ? undefined : this.pickRequired([candidate], requiredAccount, input);
      return kept ?? ok(this.take(candidate));
    }
    return fail(refusal('chosen-channel-unfit', { channel: channelId, model, group: caller.group }));
  }
}

/** Tiers without the channels whose limits are full. */
function withRoom(tiers: readonly Tier[], { passedOver = [] }: PickInput): readonly Tier[] {
  if (passedOver.length === 0) return tiers;
  return tiers
    .map((tier) => tier.filter(({ route }) => !passedOver.includes(route.channelId)))
    .filter((tier) => tier.length > 0);
}

/** Same number of tries as for a single channel. */
const MAX_AT_ONE_PLACE = 2;

/** Routes that lead to a place, those of the channel itself first. */
function routesAt(candidates: readonly Candidate[], place: RequiredAccount): readonly Route[] {
  const isOwn = ({ route }: Candidate): boolean => route.channelId === place.channelId;
  for (const some of [candidates.filter(isOwn), candidates.filter((one) => !isOwn(one))]) {
    const found = some.flatMap(keyedRoutes).filter((route) => place.isAt(route));
    if (found.length > 0) return found;
  }
  return [];
}

const keyedRoutes = ({ route, ring }: Candidate): readonly Route[] =>
  ring?.keys.map(({ index, credential }) => ({ ...route, credential, keyIndex: index })) ?? [route];

const findCandidate = (tiers: readonly Tier[], channelId: number): Candidate | undefined => {
  for (const tier of tiers) {
    const found = tier.find(({ route }) => route.channelId === channelId);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Native channels of a priority, where the input asks for them and there are any; else all. */
function nativeFirst(tier: Tier, isNative: PickInput['isNative']): Tier {
  if (isNative === undefined || tier.length <= 1) return tier;
  const native = tier.filter(({ route }) => isNative(route));
  return native.length === 0 ? tier : native;
}

/**
 * Attempt k looks at the k-th priority, then at the lower ones, then at the higher ones; resting channels come after all
 * others, and tried ones last: a tried channel that is not resting is better than none. Of those that are left in one priority the
 * native ones are chosen from first. No channel is tried more than twice (or once per key), so that none is called again and again.
 */
export function choose({ tiers, attempt, tried, isResting, isNative }: Choice): Candidate | undefined {
  if (tiers.length === 0) return undefined;
  const start = Math.min(attempt, tiers.length - 1);
  const ordered = [...tiers.slice(start), ...tiers.slice(0, start).reverse()];
  const isTried = (candidate: Candidate): boolean => tried.includes(candidate.route.channelId);
  const conditions: ((candidate: Candidate) => boolean)[] = [
    (candidate) => !isTried(candidate) && !isResting(candidate),
    (candidate) => !isTried(candidate),
    (candidate) => !isResting(candidate) && triesOf(candidate, tried) < maxTries(candidate),
  ];
  for (const condition of conditions) {
    for (const tier of ordered) {
      const chosen = chooseWeighted(nativeFirst(tier.filter(condition), isNative), Math.random());
      if (chosen !== undefined) return chosen;
    }
  }
  return undefined;
}

interface Choice extends Pick<PickInput, 'attempt' | 'tried' | 'isNative'> {
  readonly tiers: readonly Tier[];
  readonly isResting: (candidate: Candidate) => boolean;
}

const triesOf = ({ route }: Candidate, tried: readonly number[]): number =>
  tried.filter((id) => id === route.channelId).length;

/** Twice, and each key of several once. */
const maxTries = ({ ring }: Candidate): number => Math.max(2, ring?.keys.length ?? 0);

const noChannel = (snapshot: ChannelSnapshot, group: string, model: string): RelayError => ({
  ...refusal('no-channel', { model, group }),
  ...(snapshot.isPaused(group, model) ? {} : { isUnserved: true as const }),
});

function promptTooLong(snapshot: ChannelSnapshot, tiers: readonly Tier[], promptTokens: number): RelayError {
  const most = Math.max(...tiers.flat().map(({ route }) => snapshot.inputLimitOf(route.channelId)));
  return requestRefusal(
    `The prompt has about ${promptTokens} tokens; the channels of this model take at most ${most}.`,
  );
}

export interface Weighted {
  readonly weight: number;
}

/**
 * Draws one item with probability proportional to weight + 10; negative weights count as 0.
 * @param random  in [0, 1)
 * @returns undefined when there is nothing to draw from
 */
export function chooseWeighted<T extends Weighted>(items: readonly T[], random: number): T | undefined {
  if (items.length <= 1) return items[0];
  let total = 0;
  for (const item of items) total += effectiveWeight(item);
  let rest = random * total;
  for (const item of items) {
    rest -= effectiveWeight(item);
    if (rest < 0) return item;
  }
  return items[items.length - 1];
}
