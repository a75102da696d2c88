import { describe, expect, it } from '@jest/globals';
import { isBadRecord } from './batch-booker.js';

const fault = (members: object) => Object.assign(new Error('driver'), members);

describe('isBadRecord', () => {
  it.each([
    { errno: 1406 },
    { errno: 1264 },
    { code: '22001' },
    { code: '23514' },
    { code: 'SQLITE_MISMATCH' },
    { code: 'SQLITE_CONSTRAINT_CHECK' },
  ])('blames the record for %j', (members) => {
    expect(isBadRecord(fault(members))).toBe(true);
  });

  it('blames the record for a figure out of range', () => {
    expect(isBadRecord(new RangeError('too large'))).toBe(true);
  });

  it.each([
    { errno: 1062, code: 'ER_DUP_ENTRY' },
    { code: '23505' },
    { code: 'SQLITE_CONSTRAINT_UNIQUE' },
    { errno: 1213, code: 'ER_LOCK_DEADLOCK' },
    { code: '40P01' },
    { code: 'ECONNRESET' },
    {},
  ])('lets the record be tried again after %j', (members) => {
    expect(isBadRecord(fault(members))).toBe(false);
  });
});
