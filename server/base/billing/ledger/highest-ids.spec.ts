import { expect, it } from '@jest/globals';
import type { BookingRecord } from '../records/spool-documents.js';
import { highestIdsIn } from './highest-ids.js';

const record = (user_id: number, token_id: number | null) =>
  ({ type: 'R', document: { user_id, token_id } }) as unknown as BookingRecord;

it('finds the highest ids that records name, of accounts and of tokens each', () => {
  expect(highestIdsIn([record(3, 90), record(20, null), record(1, 7)])).toEqual({ users: 20, tokens: 90 });
  expect(highestIdsIn([record(3, null)])).toEqual({ users: 3, tokens: 0 });
  expect(highestIdsIn([])).toEqual({ users: 0, tokens: 0 });
});
