import { describe, expect, it } from '@jest/globals';
import type { SettlementRow } from './books.js';
import { checkSessions } from './check-sessions.js';

const COUNTS = { opened: 2, unopened: 0, whole: 3, cut: 1, refused: 0, broken: 0 };

const row = (charged: number, writeoff = 0): SettlementRow => ({
  callId: 'call',
  userId: 1,
  tokenId: 1,
  model: 'fx-realtime',
  charged,
  writeoff,
  corrected: 0,
  evidence: 'reported',
  outcome: 'completed',
});

describe('realtime sessions of a soak', () => {
  it('passes when whole responses are charged in full and a cut one in part', () => {
    expect(checkSessions(COUNTS, [row(330), row(40, 5)])).toEqual({ priced: 375, complaints: [] });
  });

  it('complains when a whole response is not charged in full', () => {
    expect(checkSessions(COUNTS, [row(329)]).complaints).toEqual([
      'realtime sessions were charged 329, expected 330 … 3640',
    ]);
  });

  it('complains when a cut response costs more than the conversation', () => {
    expect(checkSessions(COUNTS, [row(3_641)]).complaints).toHaveLength(1);
  });

  it('complains when a session is charged twice, a response breaks off or a session does not open', () => {
    const rows = [row(330), row(10), row(10)];
    expect(checkSessions({ ...COUNTS, broken: 1, unopened: 1 }, rows).complaints).toEqual([
      '1 responses of realtime sessions broke off',
      '1 realtime sessions did not open',
      '3 settlements of 2 realtime sessions',
    ]);
  });
});
