import type { RedisLimits } from './redis-limits.js';
import type { LimitPart } from './shared-limits.js';
import type { HoldOutcome, HoldRequest } from './shared-store.js';

/**
 * Places a hold on a cluster, where windows that accounts share are on another node than the pools. Room in them is taken first and given back when
 * the account's node refuses: nothing of both stays taken. Fails: StoreUnavailableError.
 */
export async function placeOnTwoNodes(
  request: HoldRequest,
  elsewhere: readonly LimitPart[],
  on: {
    readonly limits: RedisLimits;
    readonly epoch: string;
    readonly place: (request: HoldRequest) => Promise<HoldOutcome>;
  },
): Promise<HoldOutcome> {
  const { callId, userId, owner, limits: parts = [] } = request;
  const shared = await on.limits.takeElsewhere({ callId, userId, owner, parts }, elsewhere, on.epoch);
  if (shared.kind !== 'taken') return shared;
  const taken = elsewhere.map(({ key, isShared }) => ({ key, isShared, used: 0 }));
  const giveBack = (): Promise<void> => on.limits.settle([{ callId, userId, parts: taken }]);
  let outcome: HoldOutcome;
  try {
    outcome = await on.place(request);
  } catch (fault) {
    await giveBack().catch(() => undefined);
    throw fault;
  }
  const own = on.limits.placedParts(parts);
  if (outcome.kind !== 'placed') {
    await giveBack();
    if (!('indexes' in outcome)) return outcome;
    // The numbers are those of the parts on the account's own node.
    const indexes = outcome.indexes.flatMap((index) => own[index] ?? []).map((part) => parts.indexOf(part));
    return { ...outcome, indexes };
  }
  const { limitSums } = outcome;
  if (limitSums === undefined && own.length > 0) return outcome;
  const sumOf = (part: LimitPart): number =>
    (part.isShared ? shared.sums[elsewhere.indexOf(part)] : limitSums?.[own.indexOf(part)]) ?? 0;
  return { ...outcome, limitSums: parts.map(sumOf) };
}
