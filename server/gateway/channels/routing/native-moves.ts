import { getOrAdd } from '../../../common/get-or-add.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import type { ChannelSnapshot } from '../state/channel-snapshot.js';
import { effectiveWeight } from './cached-channel-picker.js';

/** Client APIs whose calls may move. */
export const CLIENT_APIS = ['chat', 'completions', 'responses', 'messages', 'gemini'] as const;
export type ClientApi = (typeof CLIENT_APIS)[number];

/** Calls of one kind in the log. */
export interface LoggedCalls {
  readonly group: string;
  readonly api: ClientApi;
  readonly model: string;
  /** The channel that answered them. */
  readonly channelId: number;
  readonly count: number;
}

/** Calls of one API and group that would go to one other channel. */
export interface NativeMove {
  readonly group: string;
  readonly api: ClientApi;
  readonly channelId: number;
  /** Calls that would move there, a whole number. */
  readonly calls: number;
  /** All calls of this API and group. */
  readonly of: number;
}

/**
 * Calls that native channels would get if they came first: those that a channel of another API answered, beside a native one of
 * equal priority. Calls go to several by weight. Channels and priorities are those of now.
 * @returns largest share first; moves of less than half a call are left out
 */
export function nativeMoves(
  calls: readonly LoggedCalls[],
  snapshot: Pick<ChannelSnapshot, 'tiersOf'>,
  isNative: (route: Route, api: ClientApi, model: string) => boolean,
): NativeMove[] {
  const totals = new Map<string, number>();
  const moved = new Map<string, Omit<NativeMove, 'of'>>();
  for (const { group, api, model, channelId, count } of calls) {
    const kind = JSON.stringify([group, api]);
    totals.set(kind, getOrAdd(totals, kind, () => 0) + count);
    const tier = snapshot
      .tiersOf(group, model)
      .find((some) => some.some(({ route }) => route.channelId === channelId));
    const native = tier?.filter(({ route }) => isNative(route, api, model)) ?? [];
    if (native.some(({ route }) => route.channelId === channelId)) continue;
    const weights = native.reduce((sum, one) => sum + effectiveWeight(one), 0);
    for (const one of native) {
      const target = one.route.channelId;
      const key = JSON.stringify([group, api, target]);
      const before = moved.get(key)?.calls ?? 0;
      const share = (count * effectiveWeight(one)) / weights;
      moved.set(key, { group, api, channelId: target, calls: before + share });
    }
  }
  return [...moved.values()]
    .map((move) => ({
      ...move,
      calls: Math.round(move.calls),
      of: totals.get(JSON.stringify([move.group, move.api])) ?? 0,
    }))
    .filter((move) => move.calls > 0)
    .sort((left, right) => right.calls / right.of - left.calls / left.of);
}
