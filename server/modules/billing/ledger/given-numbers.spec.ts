import { expect, it } from '@jest/globals';
import type { BookingRecord } from '../records/spool-documents.js';
import { numbersIn } from './given-numbers.js';

const record = (user_id: number, token_id: number | null) =>
  ({ type: 'R', document: { user_id, token_id } }) as unknown as BookingRecord;

it('finds the highest numbers that records name, of accounts and of tokens each', () => {
  expect(numbersIn([record(3, 90), record(20, null), record(1, 7)])).toEqual({ users: 20, tokens: 90 });
  expect(numbersIn([record(3, null)])).toEqual({ users: 3, tokens: 0 });
  expect(numbersIn([])).toEqual({ users: 0, tokens: 0 });
});
