import { describe, expect, it } from '@jest/globals';
import {
  isConnectionLost,
  isDuplicateKey,
  isReadOnly,
  isRejectedRow,
  isRetried,
  retryTransaction,
} from './database-faults.js';

const wrapped = (driverError: unknown) => Object.assign(new Error('query failed'), { driverError });
const NO_FAULTS: readonly unknown[] = [
  null,
  undefined,
  'ECONNRESET',
  1213,
  {},
  new Error('x'),
  wrapped(null),
];

describe('what went wrong in a database', () => {
  it.each([
    ['a deadlock of MySQL', { errno: 1213, code: 'ER_LOCK_DEADLOCK' }, isRetried],
    ['a serialisation failure of PostgreSQL', { code: '40001' }, isRetried],
    ['a busy SQLite', { code: 'SQLITE_BUSY' }, isRetried],
    ['a reset connection', { code: 'ECONNRESET' }, isConnectionLost],
    ['PostgreSQL going down', { code: '57P01' }, isConnectionLost],
    ['a read-only MySQL', { errno: 1290 }, isReadOnly],
    ['a full disk of PostgreSQL', { code: '53100' }, isReadOnly],
    ['a full SQLite', { code: 'SQLITE_FULL' }, isReadOnly],
    ['a row twice in MySQL', { errno: 1062 }, isDuplicateKey],
    ['a row twice in PostgreSQL', { code: '23505' }, isDuplicateKey],
    ['a row twice in SQLite', { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }, isDuplicateKey],
  ])('distinguishes %s, bare and wrapped, from all others', (_name, fault, isIt) => {
    const kinds = [isRetried, isConnectionLost, isReadOnly, isDuplicateKey];
    for (const given of [fault, wrapped(fault)]) expect(kinds.filter((kind) => kind(given))).toEqual([isIt]);
  });

  it.each([
    [{ code: '22021' }, true],
    [{ errno: 1406 }, true],
    [{ code: 'SQLITE_CONSTRAINT_CHECK' }, true],
    [{ code: '23505' }, false],
    [{ errno: 1062 }, false],
    [{ code: '57P01' }, false],
    [{ code: 'ECONNRESET' }, false],
  ])('finds a rejected row by %j: %p', (fault, isRejected) => {
    expect([isRejectedRow(fault), isRejectedRow(wrapped(fault))]).toEqual([isRejected, isRejected]);
  });

  it('detects a lost connection by its message when the driver gives no code', () => {
    expect(isConnectionLost(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isConnectionLost(new Error('syntax error'))).toBe(false);
  });

  it.each(NO_FAULTS)('finds none of these faults in %p', (fault) => {
    expect([isRetried(fault), isConnectionLost(fault), isReadOnly(fault), isDuplicateKey(fault)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('retryTransaction', () => {
  function failing(times: number, fault: unknown) {
    let attempts = 0;
    const run = () =>
      retryTransaction(() => {
        attempts += 1;
        return attempts <= times ? Promise.reject(fault as Error) : Promise.resolve(attempts);
      });
    return { run, count: () => attempts };
  }

  it('gives up after the fifth attempt with the last fault', async () => {
    const fault = { code: '40P01' };
    const { run, count } = failing(9, fault);
    await expect(run()).rejects.toBe(fault);
    expect(count()).toBe(5);
  });

  it('tries nothing again that would fail again', async () => {
    const { run, count } = failing(1, { code: '23505' });
    await expect(run()).rejects.toEqual({ code: '23505' });
    expect(count()).toBe(1);
  });

  it('answers what a later attempt gives', async () => {
    expect(await failing(2, wrapped({ errno: 1205 })).run()).toBe(3);
  });
});
