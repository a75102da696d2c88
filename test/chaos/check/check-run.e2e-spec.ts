import { describe, expect, it } from '@jest/globals';
import { History, type CallRecord } from '../load/history.js';
import { MIXED_SHAPES, type Shape } from '../load/shapes.js';
import type { JournalEntry } from '../rig/upstream-models.js';
import type { SettlementRow } from './books.js';
import { checkRun, type RunRecords } from './check-run.js';

const shapeCalled = (name: string): Shape => {
  const shape = MIXED_SHAPES.find((one) => one.name === name);
  if (shape === undefined) throw new Error(name);
  return shape;
};

/** One whole streamed call of token 7, settled as it must be; changed by what a test says. */
function runRecords(change: {
  readonly call?: Partial<CallRecord>;
  readonly entries?: readonly Partial<JournalEntry>[];
  readonly rows?: readonly Partial<SettlementRow>[];
  readonly loggedTwice?: readonly string[];
  readonly isExcused?: () => boolean;
  readonly poorTokens?: ReadonlySet<number>;
}): RunRecords {
  const history = new History();
  history.calls.push({
    marker: 1,
    shape: shapeCalled('stream'),
    tokenId: 7,
    askedAtMs: 0,
    headAtMs: 5,
    endedAtMs: 9,
    status: 200,
    callId: 'call-1',
    chunks: 50,
    sawEnd: true,
    outcome: 'ok' as const,
    code: '',
    retryAfter: undefined,
    ...change.call,
  });
  const { entries = [{}], rows = [{}], loggedTwice = [], isExcused } = change;
  return {
    history,
    journal: entries.map((entry) => ({
      marker: 1,
      model: 'fx-std',
      address: '/a/',
      chunksSent: 50,
      ending: 'completed' as const,
      ...entry,
    })),
    settlements: rows.map((row) => ({
      callId: 'call-1',
      userId: 3,
      tokenId: 7,
      model: 'fx-std',
      charged: 110,
      writeoff: 0,
      corrected: 0,
      evidence: 'reported',
      outcome: 'ok',
      ...row,
    })),
    loggedTwice,
    isExcused,
    ...(change.poorTokens === undefined ? {} : { poorTokens: change.poorTokens }),
  };
}

const cut = { outcome: 'cut', sawEnd: false, chunks: 12 } as const;

describe('checkRun', () => {
  it('finds nothing when every call is charged what it costs', () => {
    expect(checkRun(runRecords({}))).toMatchObject({ lost: 0, doubled: 0, charged: 1, findings: [] });
  });

  it('lets only a corrected estimate of an account without money stay below its price', () => {
    const corrected = { outcome: 'recovered', evidence: 'estimated', charged: 10, corrected: 26 };
    const poor = new Set([7]);
    const lostWith = (row: Partial<SettlementRow>, poorTokens: ReadonlySet<number>): number =>
      checkRun(runRecords({ rows: [row], poorTokens })).lost;
    expect(lostWith(corrected, poor)).toBe(0);
    expect(lostWith(corrected, new Set([8]))).toBe(1);
    expect(lostWith({ ...corrected, outcome: 'ok' }, poor)).toBe(1);
    expect(lostWith({ ...corrected, corrected: 101 }, poor)).toBe(1);
  });

  it.each([
    ['an end without a settlement', { rows: [] }],
    ['an end with too small a charge', { rows: [{ charged: 60 }] }],
    ['an answer nobody received and nobody booked', { call: cut, rows: [] }],
    [
      'a part of an answer that nobody booked',
      { call: cut, rows: [], entries: [{ ending: 'cut', chunksSent: 12 }] },
    ],
    [
      'a whole answer of a call whose client learnt no id',
      { call: { outcome: 'failed', callId: undefined, sawEnd: false, status: 502 }, rows: [] },
    ],
  ] as const)('calls lost: %s', (_name, change) => {
    expect(checkRun(runRecords(change))).toMatchObject({ lost: 1, doubled: 0 });
  });

  it.each([
    ['two whole answers of the upstream', { entries: [{}, {}] }],
    ['two lines in the usage log', { loggedTwice: ['call-1'] }],
    ['a settlement of a call nobody placed', { rows: [{}, { callId: 'call-2' }] }],
  ] as const)('calls doubled: %s', (_name, change) => {
    expect(checkRun(runRecords(change))).toMatchObject({ lost: 0, doubled: 1 });
  });

  it.each([
    ['a refused call that was charged', { call: { outcome: 'refused', status: 503, sawEnd: false } }],
    [
      'more than the upstream sent',
      { call: cut, rows: [{ charged: 90 }], entries: [{ ending: 'cut', chunksSent: 20 }] },
    ],
    [
      'less than the client has',
      { call: cut, rows: [{ charged: 20 }], entries: [{ ending: 'cut', chunksSent: 20 }] },
    ],
  ] as const)('calls wrong: %s', (_name, change) => {
    const verdict = checkRun(runRecords(change));
    expect(verdict).toMatchObject({ lost: 0, doubled: 0 });
    expect(verdict.findings).toHaveLength(1);
  });

  it.each([
    [
      'a refusal of a call an upstream had turned down',
      {
        call: { outcome: 'refused', status: 502, sawEnd: false },
        rows: [],
        entries: [{ ending: 'cut', chunksSent: 0 }],
      },
    ],
    [
      'a cut stream at the price of what came',
      {
        call: cut,
        rows: [{ charged: 50, outcome: 'partial' }],
        entries: [{ ending: 'cut', chunksSent: 20 }],
      },
    ],
    [
      'a recovered call at its last checkpoint',
      {
        call: cut,
        rows: [{ charged: 10, outcome: 'recovered' }],
        entries: [{ ending: 'cancelled', chunksSent: 20 }],
      },
    ],
    ['a retried call', { entries: [{ ending: 'cut', chunksSent: 0 }, {}] }],
    [
      'a call without an id that was settled once',
      { call: { outcome: 'failed', callId: undefined, sawEnd: false, status: 0 } },
    ],
  ] as const)('accepts %s', (_name, change) => {
    expect(checkRun(runRecords(change))).toMatchObject({ lost: 0, doubled: 0, findings: [] });
  });

  it('counts what went with a disk apart, and still sees that it is not charged twice', () => {
    const isExcused = (): boolean => true;
    expect(checkRun(runRecords({ rows: [], isExcused }))).toMatchObject({
      lost: 0,
      unbilled: 1,
      findings: [],
    });
    expect(checkRun(runRecords({ entries: [{}, {}], isExcused }))).toMatchObject({ doubled: 1 });
  });
});
