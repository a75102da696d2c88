import { describe, expect, it } from '@jest/globals';
import { BatchTotals, type LockedState } from './batch-totals.js';
import type { SettlementDocument } from '../records/spool-documents.js';

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

const TOKEN = 3;
const OF_TOKEN = 'reservation-of-the-token';

interface Funds {
  readonly quota?: number;
  readonly floor?: number;
  readonly inPool?: number | undefined;
  readonly remain?: number;
  readonly inTokenPool?: number;
}

/** An account with a limited token; without `inPool` or `inTokenPool` that reservation is closed. */
const funds = ({ quota = 0, floor = 0, inPool, remain = 0, inTokenPool }: Funds): LockedState => ({
  users: new Map([[USER, { quota, floor, uid: 'account', madeAtSeconds: 0 }]]),
  tokens: new Map([[TOKEN, { remain, userId: USER, uid: 'token', madeAtSeconds: 0 }]]),
  reservations: new Map([
    ...(inPool === undefined ? [] : [[POOL, { amount: inPool, userId: USER }] as const]),
    ...(inTokenPool === undefined ? [] : [[OF_TOKEN, { amount: inTokenPool, userId: USER }] as const]),
  ]),
  settlements: new Map(),
});

const call = (
  priced: number,
  held: number,
  change: Partial<SettlementDocument> = {},
): SettlementDocument => ({
  ...settlement(priced),
  request_id: 'new',
  hold: { kind: 'pool', userReservationId: POOL, tokenReservationId: null, amount: held },
  ...change,
});

const settled = (state: LockedState, ...documents: readonly SettlementDocument[]): BatchTotals => {
  const totals = new BatchTotals(state);
  for (const document of documents) totals.settle(document);
  return totals;
};

const ACCOUNT_POOL = { userId: USER, tokenId: null };

describe('the charge of a new call', () => {
  it.each([
    // priced, held, funds → from the pool, from the balance, written off
    ['the hold alone', 70, 100, { quota: 50, inPool: 100 }, 70, 0, 0],
    ['the balance for what the hold lacks', 130, 100, { quota: 50, inPool: 100 }, 100, 30, 0],
    [
      'no more of the balance than to its floor',
      130,
      100,
      { quota: 50, floor: 40, inPool: 100 },
      100,
      10,
      20,
    ],
    ['a floor below zero as well', 130, 100, { quota: 0, floor: -40, inPool: 100 }, 100, 30, 0],
    ['at last the rest of the pool', 150, 100, { quota: 20, inPool: 125 }, 125, 20, 5],
    ['the balance where the reservation is closed', 70, 100, { quota: 50 }, 0, 50, 20],
    ['nothing from an account below its floor', 70, 0, { quota: -10, inPool: 0 }, 0, 0, 70],
    ['nothing for a free call', 0, 100, { quota: 50, inPool: 100 }, 0, 0, 0],
  ])('takes %s', (_what, priced, held, state, fromPool, fromBalance, writeoff) => {
    const totals = settled(funds(state), call(priced, held));
    expect(totals.spent.get(POOL) ?? 0).toBe(fromPool);
    expect(-(totals.users.quota.get(USER) ?? 0) + 0).toBe(fromBalance);
    expect(totals.writeoff).toBe(writeoff);
    expect(totals.booked.map(({ charged }) => charged)).toEqual([priced - writeoff]);
    expect(totals.users.used.get(USER)).toBe(priced - writeoff);
  });

  it('returns the debits and credits of the shared pool', () => {
    // 150 for a hold of 100 and an empty balance: 25 come from other parts.
    expect(settled(funds({ inPool: 125 }), call(150, 100)).debits).toEqual([
      { callId: 'new', pool: ACCOUNT_POOL, amount: 25, reservationId: POOL },
    ]);
    // The reservation has 60 of the 100 that were priced: the balance pays 40, which the store took from the pool already.
    expect(settled(funds({ quota: 40, inPool: 60 }), call(100, 100)).debits).toEqual([
      { callId: 'new', pool: ACCOUNT_POOL, amount: -40, reservationId: POOL },
    ]);
  });

  it('voids a pool whose reservation is closed', () => {
    const totals = settled(funds({ quota: 500 }), call(100, 100));
    expect(totals.debits).toEqual([]);
    expect([...totals.voided]).toEqual([[POOL, { pool: ACCOUNT_POOL, reservationId: POOL }]]);
  });

  it('counts a call once, and calls of a batch against what those before them left', () => {
    const first = call(60, 0);
    const totals = settled(funds({ quota: 100, inPool: 0 }), first, first, {
      ...first,
      request_id: 'second',
    });
    expect(totals.booked.map(({ charged }) => charged)).toEqual([60, 40]);
    expect(totals.writeoff).toBe(20);
    expect(totals.users.count.get(USER)).toBe(2);
    expect(totals.channels.get(1)).toBe(100);
  });

  it.each([[-1], [1.5], [Number.NaN], [2 ** 53]])('refuses %p as an amount, and books nothing', (priced) => {
    const totals = new BatchTotals(funds({ quota: 100 }));
    expect(() => totals.settle(call(priced, 0))).toThrow('the charge is not an amount');
    expect(totals.booked).toEqual([]);
  });
});

describe('the allowance of a limited token', () => {
  const limited = { token_id: TOKEN, token_uid: 'token', token_limited: 1 } as const;
  const hold = { kind: 'pool', userReservationId: POOL, tokenReservationId: OF_TOKEN, amount: 100 } as const;

  it.each([
    // priced, remain, in its pool → from the pool, from the allowance, overrun
    ['its pool alone', 80, 50, 100, 80, 0, []],
    ['its allowance for what the pool lacks', 130, 50, 100, 100, 30, []],
    ['the owner for the rest', 180, 50, 100, 100, 50, [30]],
    ['the owner alone for one that is overdrawn', 30, -5, undefined, 0, 0, [30]],
  ])('takes %s', (_what, priced, remain, inTokenPool, fromPool, fromAllowance, overruns) => {
    const state = funds({
      quota: 1_000,
      inPool: 100,
      remain,
      ...(inTokenPool === undefined ? {} : { inTokenPool }),
    });
    const totals = settled(state, call(priced, 100, { ...limited, hold }));
    expect(totals.spent.get(OF_TOKEN) ?? 0).toBe(fromPool);
    expect(-(totals.tokens.remain.get(TOKEN) ?? 0) + 0).toBe(fromAllowance);
    expect(totals.overruns.map(({ amount }) => amount)).toEqual(overruns);
    expect(totals.tokens.used.get(TOKEN)).toBe(priced);
  });

  it('stays untouched by a token without limit, whose use is counted all the same', () => {
    const totals = settled(funds({ quota: 100, remain: 50 }), call(40, 0, { ...limited, token_limited: 0 }));
    expect(totals.tokens.remain.size).toBe(0);
    expect(totals.tokens.used.get(TOKEN)).toBe(40);
  });
});

describe("a call's own reservation", () => {
  const hold = { kind: 'call', userReservationId: POOL, tokenReservationId: OF_TOKEN, amount: 100 } as const;
  const limited = { token_id: TOKEN, token_uid: 'token', token_limited: 1, hold } as const;
  const state = funds({ quota: 0, inPool: 100, remain: 0, inTokenPool: 100 });

  it('returns its remainder once the call is charged', () => {
    const totals = settled(state, call(30, 100, limited));
    expect(totals.users.quota.get(USER)).toBe(70);
    expect(totals.tokens.remain.get(TOKEN)).toBe(70);
    expect([...totals.closed]).toEqual([
      [POOL, 'settled'],
      [OF_TOKEN, 'settled'],
    ]);
  });

  it('returns once for an unsent call, also when it is released twice', () => {
    const totals = new BatchTotals(state);
    const owner = { account_uid: 'account', token_uid: 'token', user_id: USER, token_id: TOKEN };
    for (let time = 0; time < 2; time += 1) totals.release({ ...owner, request_id: 'new', hold });
    expect(totals.users.quota.get(USER)).toBe(100);
    expect(totals.tokens.remain.get(TOKEN)).toBe(100);
    expect([...totals.closed.values()]).toEqual(['released', 'released']);
  });

  it('refuses to go back to another account', () => {
    const owner = { account_uid: 'other', token_id: null, user_id: USER };
    expect(() => new BatchTotals(state).release({ ...owner, request_id: 'new', hold })).toThrow(
      'is not the account that made the call',
    );
  });
});
