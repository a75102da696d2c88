import { describe, expect, it } from '@jest/globals';
import { BatchTotals, type LockedState } from './booking/batch-totals.js';
import type { SettlementDocument } from './records/spool-documents.js';

const USER = 7;
const POOL = 'reservation-of-the-pool';

/** An account with a balance and an open pool, and one call recovery charged 10 for. */
const stateWith = (quota: number, inPool: number): LockedState => ({
  users: new Map([[USER, { quota, floor: 0, uid: 'account', madeAtSeconds: 0 }]]),
  tokens: new Map(),
  reservations: new Map([[POOL, { amount: inPool, userId: USER }]]),
  settlements: new Map([['call', { charged: 10, mayBeCorrected: true }]]),
});

const settlement = (priced: number): SettlementDocument => ({
  request_id: 'call',
  user_id: USER,
  token_id: null,
  token_limited: 0,
  channel_id: 1,
  model: 'm',
  account_uid: 'account',
  usage: '{}',
  evidence: 'reported',
  outcome: 'ok',
  price_snapshot: '{}',
  priced,
  created_at_ms: 1,
  username: 'u',
  token_name: 't',
  group: 'default',
  prompt_tokens: 1,
  completion_tokens: 1,
  use_time: 1,
  is_stream: 0,
  content: '',
  other: '',
  hold: { kind: 'pool', userReservationId: POOL, tokenReservationId: null, amount: 0 },
});

describe('the real figures of a call that recovery estimated [F-70]', () => {
  it.each([
    ['the balance', 1_000, 0],
    ['the pool', 0, 1_000],
    ['both', 250, 150],
  ])('charges them in full from %s', (_where, quota, inPool) => {
    const totals = new BatchTotals(stateWith(quota, inPool));
    totals.settle(settlement(410));
    expect(totals.corrections).toEqual([{ userId: USER, amount: -400, callId: 'call' }]);
    expect(totals.writeoff).toBe(0);
  });

  it.each([
    ['something is left', 20, 6, 26],
    ['nothing is left', 0, 0, 0],
  ])('writes them off where the hold was spent meanwhile: %s', (_what, quota, inPool, paid) => {
    const totals = new BatchTotals(stateWith(quota, inPool));
    totals.settle(settlement(410));
    expect(totals.corrections.map(({ amount }) => amount)).toEqual(paid === 0 ? [] : [-paid]);
    expect(totals.writeoff).toBe(400 - paid);
    // The same record again, in the same batch.
    totals.settle(settlement(410));
    expect(totals.writeoff).toBe(400 - paid);
  });

  it('gives back what was estimated too high, and writes nothing off', () => {
    const totals = new BatchTotals(stateWith(0, 0));
    totals.settle(settlement(4));
    expect(totals.corrections).toEqual([{ userId: USER, amount: 6, callId: 'call' }]);
    expect(totals.users.quota.get(USER)).toBe(6);
    expect(totals.writeoff).toBe(0);
  });
});
