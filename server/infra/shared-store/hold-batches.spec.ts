import { describe, expect, it } from '@jest/globals';
import { HoldBatches } from './hold-batches.js';
import type { HoldOutcome, HoldRequest } from './shared-store.js';

const aRequest = (userId: number): HoldRequest => ({
  callId: `call-${userId}`,
  userId,
  tokenId: null,
  amount: 1,
  owner: 'worker',
  promptEstimate: 0,
  windows: [],
});

/** Identifies the request it answers. */
const outcomeOf = ({ userId }: HoldRequest): HoldOutcome => ({
  kind: 'refused',
  index: userId,
  retryAfterMs: 1,
});

function batching(
  groupOf: (request: HoldRequest) => number,
  answer: (requests: readonly HoldRequest[]) => Promise<readonly HoldOutcome[]> = (requests) =>
    Promise.resolve(requests.map(outcomeOf)),
) {
  const trips: number[][] = [];
  const batches = new HoldBatches((requests) => {
    trips.push(requests.map(({ userId }) => userId));
    return answer(requests);
  }, groupOf);
  return { trips, batches };
}

describe('HoldBatches', () => {
  it('sends the calls of one turn in one trip, and gives each its own answer', async () => {
    const { trips, batches } = batching(() => 0);
    const outcomes = await Promise.all([3, 1, 2].map((userId) => batches.add(aRequest(userId))));
    expect(outcomes.map((outcome) => outcome.kind === 'refused' && outcome.index)).toEqual([3, 1, 2]);
    expect(trips).toEqual([[3, 1, 2]]);
    await batches.add(aRequest(4));
    expect(trips).toEqual([[3, 1, 2], [4]]);
  });

  it('never puts calls of different groups into one trip', async () => {
    const { trips, batches } = batching(({ userId }) => userId % 2);
    await Promise.all([1, 2, 3, 4].map((userId) => batches.add(aRequest(userId))));
    expect(trips).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  it('holds at most 64 calls in a trip', async () => {
    const { trips, batches } = batching(() => 0);
    await Promise.all(Array.from({ length: 130 }, (_, index) => batches.add(aRequest(index))));
    expect(trips.map((trip) => trip.length)).toEqual([64, 64, 2]);
    expect(trips.flat()).toEqual(Array.from({ length: 130 }, (_, index) => index));
  });

  it('fails every call of the trip that failed, and no other', async () => {
    const fault = new Error('away');
    const { batches } = batching(
      ({ userId }) => userId % 2,
      (requests) =>
        requests.some(({ userId }) => userId === 2)
          ? Promise.reject(fault)
          : Promise.resolve(requests.map(outcomeOf)),
    );
    const settled = await Promise.allSettled([1, 2, 3, 4].map((userId) => batches.add(aRequest(userId))));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(settled[1]).toEqual({ status: 'rejected', reason: fault });
  });

  it('fails the calls that are missing in an answer', async () => {
    const { batches } = batching(
      () => 0,
      (requests) => Promise.resolve(requests.slice(0, 1).map(outcomeOf)),
    );
    const [first, second] = await Promise.allSettled([batches.add(aRequest(1)), batches.add(aRequest(2))]);
    expect(first).toEqual({ status: 'fulfilled', value: outcomeOf(aRequest(1)) });
    expect(second).toEqual({
      status: 'rejected',
      reason: new Error('the shared store answered fewer calls than it was asked about'),
    });
  });
});
