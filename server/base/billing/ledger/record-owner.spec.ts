import { describe, expect, it } from '@jest/globals';
import { BookingError, checkOwner, type KnownOwners } from './record-owner.js';

/** An id whose first 48 bits are 1764150000000 ms, 2025-11-26. */
const BEGAN_SECONDS = 1_764_150_000;
const hex = (BEGAN_SECONDS * 1000).toString(16).padStart(12, '0');
const CALL = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;

const known: KnownOwners = {
  users: new Map([
    [1, { uid: 'account-1', madeAtSeconds: BEGAN_SECONDS }],
    [2, { uid: 'account-2', madeAtSeconds: BEGAN_SECONDS }],
  ]),
  tokens: new Map([
    [5, { uid: 'token-5', madeAtSeconds: BEGAN_SECONDS, userId: 1 }],
    [6, { uid: 'token-6', madeAtSeconds: BEGAN_SECONDS, userId: 2 }],
  ]),
  reservations: new Map([
    ['of-1', { userId: 1 }],
    ['of-2', { userId: 2 }],
  ]),
};

const hold = { kind: 'pool', userReservationId: 'of-1', tokenReservationId: null, amount: 1 } as const;
const record = {
  request_id: CALL,
  user_id: 1,
  token_id: 5,
  account_uid: 'account-1',
  token_uid: 'token-5',
  hold,
};
const check = (change: Partial<Parameters<typeof checkOwner>[0]>, owners = known) =>
  checkOwner({ ...record, ...change }, owners);

describe('checkOwner', () => {
  it.each([
    ['an account that is not there', { user_id: 9 }, 'its account does not exist'],
    ['a number that was given again', { account_uid: 'account-0' }, 'account 1 is not the account'],
    ['an empty id', { account_uid: '' }, 'account 1 is not the account'],
    ['a token of another account', { token_id: 6, token_uid: 'token-6' }, 'token 6 is not the token'],
    ['a token number that was given again', { token_uid: 'token-0' }, 'token 5 is not the token'],
    [
      'a reservation of another account',
      { hold: { ...hold, userReservationId: 'of-2' } },
      'its reservation is of another account',
    ],
    [
      "a token's reservation of another account",
      { hold: { ...hold, tokenReservationId: 'of-2' } },
      'its reservation is of another account',
    ],
  ])('refuses %s', (_what, change, message) => {
    expect(() => check(change)).toThrow(BookingError);
    expect(() => check(change)).toThrow(`${CALL}: ${message}`);
  });

  it.each([
    ['its own account and token', {}],
    ['no token', { token_id: null, token_uid: undefined }],
    ['a token that is gone: the account pays', { token_id: 99, token_uid: 'token-99' }],
    ['a reservation that is closed', { hold: { ...hold, userReservationId: 'closed' } }],
    ['nothing set aside', { hold: { ...hold, userReservationId: '' } }],
  ])('takes %s', (_what, change) => {
    expect(() => check(change)).not.toThrow();
  });

  it('decides by the start of the call for records without ids, and allows a minute of clock skew', () => {
    const madeAt = (madeAtSeconds: number): KnownOwners => ({
      ...known,
      users: new Map([[1, { uid: 'account-1', madeAtSeconds }]]),
      tokens: new Map(),
    });
    const old = { account_uid: undefined, token_id: null, token_uid: undefined };
    expect(() => check(old, madeAt(BEGAN_SECONDS + 60))).not.toThrow();
    expect(() => check(old, madeAt(BEGAN_SECONDS + 61))).toThrow(BookingError);
    // An id without a time is no evidence against the owner.
    expect(() => check({ ...old, request_id: 'call' }, madeAt(BEGAN_SECONDS + 61))).not.toThrow();
  });
});
