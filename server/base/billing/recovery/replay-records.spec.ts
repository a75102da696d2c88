import { describe, expect, it } from '@jest/globals';
import { aPrice, used } from '../../../../test/support/price-snapshots.js';
import type { AdoptedRecord } from '../../../infra/spool/adopted-spool.js';
import type { BookingRecord, SettlementDocument } from '../records/spool-documents.js';
import { lostSpoolSettlement, replayRecords } from './replay-records.js';

const NOW = 1_700_000_100_000;
const hold = { kind: 'pool', userReservationId: 'r', tokenReservationId: null, amount: 900 } as const;
const caller = {
  userId: 7,
  accountUid: 'a',
  username: 'ann',
  tokenId: 3,
  tokenUid: 't',
  tokenName: 'laptop',
  tokenLimited: true,
  group: 'default',
};

const record = (type: AdoptedRecord['type'], document: object, isUnnamed?: true): AdoptedRecord => ({
  type,
  payload: JSON.stringify({ request_id: 'call', ...document }),
  ...(isUnnamed === undefined ? {} : { isUnnamed }),
});
const dispatched = record('D', {
  channel_id: 5,
  caller,
  snapshot: aPrice(),
  promptTokens: 100,
  startedAtMs: NOW - 9_000,
  hold,
});
const retried = record('D', { channel_id: 6 });
const counted = (input: number, output: number) => record('C', { usage: used(input, output) });
const released = record('R', { user_id: 7, token_id: 3, hold });

/** A settlement as it would have been written. */
const settled = (() => {
  const [end] = replayRecords([dispatched], NOW);
  return record('S', { ...end?.document, outcome: 'ok', priced: 42 });
})();
const chargeOf = (ends: readonly BookingRecord[]): Partial<SettlementDocument>[] =>
  ends.map(({ document }) => document as SettlementDocument);

describe('replayRecords', () => {
  it('counts the charge under the limits of the channel that was asked last', () => {
    const marks = { owner: 'worker', limits: [[1, 0, 'quota']] };
    const limited = record('D', { ...(JSON.parse(dispatched.payload) as object), channel_limits: marks });
    expect(chargeOf(replayRecords([limited], NOW))[0]?.channel_limits).toEqual(marks);
    expect(chargeOf(replayRecords([limited, retried], NOW))[0]?.channel_limits).toBeUndefined();
    const again = record('D', { channel_id: 6, channel_limits: marks });
    expect(chargeOf(replayRecords([dispatched, again], NOW))[0]?.channel_limits).toEqual(marks);
  });

  it('charges the prompt of a call that went upstream and left nothing more', () => {
    const ends = replayRecords([dispatched], NOW);
    expect(chargeOf(ends)).toEqual([
      expect.objectContaining({
        outcome: 'recovered',
        evidence: 'estimated',
        priced: 100,
        prompt_tokens: 100,
        completion_tokens: 0,
        user_id: 7,
        token_id: 3,
        token_limited: 1,
        channel_id: 5,
        created_at_ms: NOW,
        hold,
      }),
    ]);
    expect(ends[0]?.isRecovered).toBe(true);
  });

  it('charges the last count, at the last channel', () => {
    expect(chargeOf(replayRecords([dispatched, retried, counted(90, 10), counted(90, 40)], NOW))).toEqual([
      expect.objectContaining({ evidence: 'counted', priced: 130, channel_id: 6, completion_tokens: 40 }),
    ]);
  });

  it.each([
    ['after its checkpoints', [dispatched, counted(90, 40), settled]],
    ['before what was written late', [dispatched, settled, counted(90, 40), released]],
    ['without its beginning', [settled]],
  ])('books a settlement as it stands, %s', (_, records) => {
    expect(chargeOf(replayRecords(records, NOW))).toEqual([
      expect.objectContaining({ outcome: 'ok', priced: 42 }),
    ]);
  });

  it('takes nothing for a call that was released', () => {
    expect(replayRecords([dispatched, counted(90, 40), released], NOW)).toEqual([
      { isRecovered: true, type: 'R', document: expect.objectContaining({ request_id: 'call' }) },
    ]);
  });

  it('takes nothing for what never went upstream', () => {
    expect(replayRecords([], NOW)).toEqual([]);
    expect(replayRecords([retried, counted(1, 1)], NOW)).toEqual([]);
  });

  it('keeps calls apart, and marks those whose segment names no installation', () => {
    const other = record('D', { ...JSON.parse(dispatched.payload), request_id: 'other' }, true);
    expect(
      replayRecords([dispatched, other, counted(90, 40)], NOW).map((end) => [
        end.document.request_id,
        end.isUnnamed,
      ]),
    ).toEqual([
      ['call', undefined],
      ['other', true],
    ]);
  });
});

describe('lostSpoolSettlement', () => {
  const lost = (tokenId: number | null) =>
    lostSpoolSettlement({ callId: 'call', userId: 7, tokenId, promptEstimate: 321, place: hold, nowMs: NOW })
      .document as SettlementDocument;

  it('charges the estimate of the prompt, by a price from which it can be computed again', () => {
    expect(lost(3)).toMatchObject({
      priced: 321,
      user_id: 7,
      token_id: 3,
      token_limited: 1,
      evidence: 'estimated',
      hold,
    });
    expect(JSON.parse(lost(3).price_snapshot)).toMatchObject({
      mode: 'call',
      price: '321',
      groupRatio: '1',
      quotaPerUnit: 1,
    });
  });

  it('counts against no allowance where the hold names no token', () => {
    expect(lost(null)).toMatchObject({ token_id: null, token_limited: 0 });
  });
});
