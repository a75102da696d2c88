import { Injectable } from '@nestjs/common';
import { fail, ok, type Result } from '../../common/result.js';
import type { Caller } from '../../relay-core/model/call.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { ChannelPicker, type Route } from '../../relay-core/ports/channel-picker.js';
import { ChannelRest } from './channel-rest.js';
import { type Candidate, type ChannelSnapshot, routeOf, type Tier } from './channel-snapshot.js';
import { ChannelSnapshotStore } from './channel-snapshot.store.js';
import { chooseWeighted } from './weighted-choice.js';

export interface PickInput {
  readonly caller: Caller;
  readonly model: string;
  readonly attempt: number;
  readonly tried: ReadonlySet<number>;
}

/** Chooses from the snapshot in memory: no I/O on the way of a call. */
@Injectable()
export class CachedChannelPicker extends ChannelPicker {
  constructor(
    private readonly snapshots: ChannelSnapshotStore,
    private readonly rest: ChannelRest,
  ) {
    super();
  }

  override pick(input: PickInput): Result<Route, RelayError> {
    const snapshot = this.snapshots.current();
    const { caller, model, attempt, tried } = input;
    if (caller.pinnedChannelId !== null) return pickPinned(snapshot, input, caller.pinnedChannelId);
    const tiers = snapshot.tiersOf(caller.group, model);
    // Nearly every call: one channel in one tier, first attempt.
    const only = tiers.length === 1 && tiers[0]?.length === 1 ? tiers[0][0] : undefined;
    if (only !== undefined) return ok(only.route);
    const chosen = choose(tiers, attempt, tried, (candidate) =>
      this.rest.isResting(candidate.route.channelId, model),
    );
    return chosen === undefined ? fail(noChannel(caller.group, model)) : ok(chosen.route);
  }

  /** Whether anybody serves the model to the group now. Fails: channel-unavailable. */
  checkServed(group: string, model: string): Result<true, RelayError> {
    return this.snapshots.current().tiersOf(group, model).length > 0
      ? ok(true)
      : fail(noChannel(group, model));
  }

  override modelsOf(group: string): readonly string[] {
    return this.snapshots.current().modelsOf(group);
  }
}

/**
 * Attempt k looks at the k-th priority, then at the lower ones, then at the higher ones; resting channels come after all
 * others, and tried ones last: a tried channel is better than none.
 */
export function choose(
  tiers: readonly Tier[],
  attempt: number,
  tried: ReadonlySet<number>,
  isResting: (candidate: Candidate) => boolean,
  random: () => number = Math.random,
): Candidate | undefined {
  if (tiers.length === 0) return undefined;
  const start = Math.min(attempt, tiers.length - 1);
  const ordered = [...tiers.slice(start), ...tiers.slice(0, start).reverse()];
  const isTried = (candidate: Candidate): boolean => tried.has(candidate.route.channelId);
  const wishes: readonly ((candidate: Candidate) => boolean)[] = [
    (candidate) => !isTried(candidate) && !isResting(candidate),
    (candidate) => !isTried(candidate),
    () => true,
  ];
  for (const wish of wishes) {
    for (const tier of ordered) {
      const chosen = chooseWeighted(tier.filter(wish), random());
      if (chosen !== undefined) return chosen;
    }
  }
  return undefined;
}

/** A pinned call goes to its channel only, once, and still obeys group and model (TOK-04). */
function pickPinned(
  snapshot: ChannelSnapshot,
  input: PickInput,
  channelId: number,
): Result<Route, RelayError> {
  const { caller, model, tried } = input;
  if (tried.has(channelId)) {
    return fail({
      kind: 'channel-unavailable',
      blame: 'gateway',
      message: 'The channel this call is pinned to failed.',
    });
  }
  const channel = snapshot.channel(channelId);
  if (channel === undefined) {
    return fail({
      kind: 'forbidden',
      blame: 'caller',
      message: `Channel ${channelId}, which the key asks for, does not exist or is disabled.`,
    });
  }
  const serves = snapshot
    .tiersOf(caller.group, model)
    .some((tier) => tier.some((candidate) => candidate.route.channelId === channelId));
  if (serves) return ok(routeOf(channel, model));
  return fail({
    kind: 'forbidden',
    blame: 'caller',
    message: `Channel ${channelId}, which the key asks for, does not serve model ${model} to group ${caller.group}.`,
  });
}

const noChannel = (group: string, model: string): RelayError => ({
  kind: 'channel-unavailable',
  blame: 'gateway',
  isUnserved: true,
  message: `No available channel for model ${model} under group ${group}.`,
});
