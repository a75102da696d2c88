import { describe, expect, it } from '@jest/globals';
import {
  anObservation,
  aReport,
  heard,
  NOON_MS,
  NOTHING_WRONG,
  twoInstances,
} from '../../../../test/support/observations.js';
import { findingText } from '../alerts/finding-texts.js';
import { modeMeaning, MODE_MEANINGS_ZH } from '../alerts/mode-texts.js';
import { DEGRADED_MODES } from '../../../infra/observability/degraded-modes.js';
import { RULES, type Finding, type Rule } from '../model/finding.js';
import { evaluateRules } from './evaluate-rules.js';
import type { FleetMinute, Observation } from '../model/observation.js';

const MINUTE_MS = 60_000;
const NOON_MINUTE = NOON_MS / MINUTE_MS;

const found = (rule: Rule, observation: Observation): Finding[] =>
  evaluateRules(observation).filter((finding) => finding.rule === rule);

const minute = (ago: number, parts: Partial<FleetMinute> = {}): FleetMinute => ({
  minute: NOON_MINUTE - ago,
  calls: 100,
  errors: 0,
  firstTokenP95Ms: 300,
  settlementLagMs: 100,
  writeoffQuota: 0,
  overrunCalls: 0,
  overrunQuota: 0,
  ...parts,
});

describe('rules about instances and workers', () => {
  it('finds nothing where all is well', () => {
    expect(evaluateRules(anObservation())).toEqual([]);
  });

  it('finds an instance that fell silent, at once', () => {
    const reports = twoInstances().map((each, index) => ({
      ...each,
      heardAtMs: index === 0 ? each.heardAtMs : NOON_MS - 21_000,
    }));
    expect(found('instance-gone', anObservation({ reports }))).toEqual([
      expect.objectContaining({
        subject: 'bbbbbbbb',
        severity: 'fault',
        sinceMs: NOON_MS - 21_000,
        notifyAfterMs: 0,
      }),
    ]);
  });

  it('shows a channel with bounded reports, and notifies from one call in a hundred on', () => {
    const reporting = (...counts: readonly (readonly [bounded: number, calls: number])[]) =>
      found(
        'bounded-reports',
        anObservation({
          reports: counts.map(([bounded, calls], at) => {
            const sinceMs = NOON_MS - (at + 1) * MINUTE_MS;
            return heard(
              aReport({ bootId: `boot-${at}`, boundedReports: [{ channelId: 7, bounded, calls, sinceMs }] }),
            );
          }),
          stored: { ...NOTHING_WRONG, channelNames: new Map([[7, 'cheap']]) },
        }),
      );
    expect(reporting([1, 51], [1, 150])).toMatchObject([
      { subject: '7', severity: 'notice', notifyAfterMs: Number.POSITIVE_INFINITY },
    ]);
    const [finding] = reporting([1, 50], [1, 150]);
    expect(finding).toMatchObject({
      severity: 'warning',
      notifyAfterMs: 0,
      sinceMs: NOON_MS - 2 * MINUTE_MS,
      facts: { channel: 'cheap #7', bounded: 2, calls: 200, percent: 1 },
    });
    expect(findingText('bounded-reports', finding?.facts ?? {}, 'en').sentence).toContain(
      'Channel cheap #7 reported more tokens than the request allows for 2 of 200 calls',
    );
  });

  it('does not miss an instance that announced its end', () => {
    const reports = [
      heard(aReport()),
      heard(aReport({ bootId: 'b', instance: 'bbbbbbbb', state: 'stopped' }), 60_000),
    ];
    expect(evaluateRules(anObservation({ reports }))).toEqual([]);
  });

  it('distinguishes a worker that is gone from one that another process replaced', () => {
    const gone = heard(aReport({ bootId: 'old', worker: 1, startedAtMs: NOON_MS - 900_000 }), 30_000);
    const reports = [heard(aReport()), gone];
    expect(found('worker-gone', anObservation({ reports }))).toHaveLength(1);
    const replaced = [...reports, heard(aReport({ bootId: 'new', worker: 1, startedAtMs: NOON_MS - 5_000 }))];
    expect(found('worker-gone', anObservation({ reports: replaced }))).toEqual([]);
  });

  it('counts starts of one place, not of all', () => {
    const starts = [1, 2, 3, 4].map((ago) => ({
      instance: 'aaaaaaaa',
      worker: 0,
      startedAtMs: NOON_MS - ago * MINUTE_MS,
    }));
    expect(found('worker-restarting', anObservation({ starts }))).toEqual([
      expect.objectContaining({ subject: 'aaaaaaaa#0', facts: expect.objectContaining({ starts: 4 }) }),
    ]);
    const spread = starts.map((start, worker) => ({ ...start, worker }));
    expect(found('worker-restarting', anObservation({ starts: spread }))).toEqual([]);
  });

  it('names workers that stay behind a revision, and leaves a change time to arrive [F-42]', () => {
    const with13 = (sinceMs: number) => [
      heard(aReport({ revision: { number: 13, sinceMs } })),
      heard(aReport({ bootId: 'b', instance: 'bbbbbbbb', host: 'web-2' })),
    ];
    expect(found('revision-differs', anObservation({ reports: with13(NOON_MS - 9_000) }))).toEqual([]);
    const [finding] = found('revision-differs', anObservation({ reports: with13(NOON_MS - 11_000) }));
    expect(finding?.facts).toMatchObject({ newest: 13, revisions: '12' });
    expect(finding?.facts['workers']).toContain('web-2');
  });

  it('takes several versions for an upgrade, and reports one that stays unfinished', () => {
    const reports = [
      heard(aReport()),
      heard(aReport({ bootId: 'b', instance: 'bbbbbbbb', version: '1.3.0', startedAtMs: NOON_MS - 90_000 })),
    ];
    expect(found('version-differs', anObservation({ reports }))).toEqual([
      expect.objectContaining({
        severity: 'notice',
        facts: { versions: '1.2.0, 1.3.0' },
        sinceMs: NOON_MS - 90_000,
        notifyAfterMs: 3_600_000,
      }),
    ]);
  });

  it.each([
    [1_900, undefined, undefined],
    [-2_100, 'notice', Number.POSITIVE_INFINITY],
    [30_000, 'notice', Number.POSITIVE_INFINITY],
    [-30_100, 'fault', 0],
    [121_000, 'fault', 0],
  ])('judges a clock that is %d ms off as %s', (clockOffsetMs, severity, notifyAfterMs) => {
    const report = aReport();
    const reports = [heard({ ...report, database: { ...report.database, clockOffsetMs } })];
    const [finding] = found('clock-skew', anObservation({ reports }));
    expect([finding?.severity, finding?.notifyAfterMs]).toEqual([severity, notifyAfterMs]);
  });
});

describe('rules about the reports of workers', () => {
  const withReport = (parts: Parameters<typeof aReport>[0]): Observation =>
    anObservation({ reports: [heard(aReport(parts))] });

  it('reports a degraded mode once, however many workers are in it', () => {
    const degraded = [{ mode: 'shared-store-away', sinceMs: NOON_MS - 70_000, cause: 'no answer' }];
    const reports = twoInstances().map((each) => ({ ...each, report: { ...each.report, degraded } }));
    expect(found('degraded-mode', anObservation({ reports }))).toEqual([
      expect.objectContaining({
        subject: 'shared-store-away',
        sinceMs: NOON_MS - 70_000,
        notifyAfterMs: MINUTE_MS,
      }),
    ]);
  });

  it('does not repeat a mode’s finding for a breaker', () => {
    const breakers = [{ name: 'redis', sinceMs: NOON_MS - 70_000 }];
    expect(found('breaker-open', withReport({ breakers }))).toHaveLength(1);
    const degraded = [{ mode: 'shared-store-away', sinceMs: NOON_MS, cause: '' }];
    expect(found('breaker-open', withReport({ breakers, degraded }))).toEqual([]);
  });

  it('names channels that calls avoid', () => {
    const stored = { ...NOTHING_WRONG, channelNames: new Map([[4, 'OpenAI main']]) };
    const restingChannels = [
      { channelId: 4, model: 'gpt-4o', sinceMs: NOON_MS - 61_000, untilMs: NOON_MS, keys: [] },
    ];
    const observation = anObservation({ stored, reports: [heard(aReport({ restingChannels }))] });
    expect(found('breaker-open', observation)[0]?.facts).toMatchObject({
      kind: 'channel',
      name: 'OpenAI main #4 (gpt-4o)',
    });
  });

  it.each<[Rule, Parameters<typeof aReport>[0], boolean]>([
    ['event-loop', { eventLoopDelayMs: 1_000 }, false],
    ['event-loop', { eventLoopDelayMs: 1_001 }, true],
    ['spool-old', { money: { ...aReport().money, spoolOldestSeconds: 300 } }, false],
    ['spool-old', { money: { ...aReport().money, spoolOldestSeconds: 301 } }, true],
    ['settlement-lag', { money: { ...aReport().money, settlementLagMs: 30_000 } }, false],
    ['settlement-lag', { money: { ...aReport().money, settlementLagMs: 30_100 } }, true],
  ])('%s: %j is too much: %s', (rule, parts, isTooMuch) => {
    expect(found(rule, withReport(parts))).toHaveLength(isTooMuch ? 1 : 0);
  });

  it('believes no figure of a worker that is gone', () => {
    const gone = heard(aReport({ eventLoopDelayMs: 60_000 }), 60_000);
    expect(found('event-loop', anObservation({ reports: [gone] }))).toEqual([]);
  });

  it.each([
    ['failed', 1],
    ['lost', 1],
    ['done', 0],
    ['running', 0],
  ] as const)('a job that is %s makes %d findings', (outcome, findings) => {
    const job = {
      name: 'orders',
      outcome,
      message: 'no answer',
      host: '',
      startedAtMs: 1,
      endedAtMs: 2,
      nextAtMs: 3,
    };
    expect(found('job-failed', anObservation({ jobs: [job] }))).toHaveLength(findings);
  });
});

describe('rules about calls and money', () => {
  it('finds an error rate that lasts, and not one bad minute', () => {
    const lasting = [5, 4, 3, 2, 1].map((ago) => minute(ago, { errors: 3 }));
    expect(found('error-rate', anObservation({ minutes: lasting }))).toEqual([
      expect.objectContaining({ facts: { percent: 3, limit: 2, errors: 15, calls: 500 } }),
    ]);
    const once = [5, 4, 3, 2, 1].map((ago) => minute(ago, { errors: ago === 3 ? 40 : 0 }));
    expect(found('error-rate', anObservation({ minutes: once }))).toEqual([]);
  });

  it('makes nothing of few calls, and nothing of minutes long ago', () => {
    const few = [5, 4, 3, 2, 1].map((ago) => minute(ago, { calls: 3, errors: 1 }));
    expect(found('error-rate', anObservation({ minutes: few }))).toEqual([]);
    const old = [50, 49, 48, 47, 46].map((ago) => minute(ago, { errors: 30 }));
    expect(found('error-rate', anObservation({ minutes: old }))).toEqual([]);
  });

  it('sums what could not be charged within the hour', () => {
    const minutes = [minute(30, { writeoffQuota: 300_000 }), minute(2, { writeoffQuota: 200_001 })];
    expect(found('writeoffs', anObservation({ minutes }))[0]?.facts).toEqual({
      quota: 500_001,
      limit: 500_000,
    });
    expect(found('writeoffs', anObservation({ minutes: minutes.slice(0, 1) }))).toEqual([]);
  });

  it('shows every charge above its hold, and sends an alert when they are large', () => {
    const minutes = [
      minute(30, { overrunCalls: 1, overrunQuota: 7 }),
      minute(2, { overrunCalls: 2, overrunQuota: 3 }),
    ];
    expect(found('overruns', anObservation({ minutes }))).toMatchObject([
      { facts: { calls: 3, quota: 10 }, severity: 'notice', notifyAfterMs: Number.POSITIVE_INFINITY },
    ]);
    const much = [minute(2, { overrunCalls: 1, overrunQuota: 500_001 })];
    expect(found('overruns', anObservation({ minutes: much }))).toMatchObject([
      { severity: 'warning', notifyAfterMs: 0 },
    ]);
    expect(found('overruns', anObservation({ minutes: [minute(2)] }))).toEqual([]);
  });

  it('reports a model only after five minutes without a channel', () => {
    const stored = { ...NOTHING_WRONG, modelsOut: [{ model: 'gpt-4o', sinceMs: NOON_MS - 1_000 }] };
    expect(found('model-out', anObservation({ stored }))).toEqual([
      expect.objectContaining({ subject: 'gpt-4o', notifyAfterMs: 300_000 }),
    ]);
  });

  it('distinguishes models that begin with the same 191 characters', () => {
    const modelsOut = ['1', '2'].map((end) => ({ model: `${'m'.repeat(200)}${end}`, sinceMs: NOON_MS }));
    const findings = found('model-out', anObservation({ stored: { ...NOTHING_WRONG, modelsOut } }));
    expect(new Set(findings.map(({ subject }) => subject)).size).toBe(2);
  });

  it('watches balances only where a limit is set', () => {
    const balances = [{ channelId: 4, name: 'main', balance: 4.999, updatedAtMs: NOON_MS }];
    const observation = anObservation({ stored: { ...NOTHING_WRONG, balances } });
    expect(found('channel-balance', observation)[0]?.facts).toMatchObject({ balance: 5, limit: 5 });
    const off = { ...observation, thresholds: { ...observation.thresholds, channelBalance: 0 } };
    expect(found('channel-balance', off)).toEqual([]);
  });

  it('reports each order incident separately, refunds as warnings', () => {
    const orders = [
      { kind: 'mismatch', count: 1, sinceMs: NOON_MS - 9 },
      { kind: 'paid-again', count: 2, sinceMs: NOON_MS - 8 },
      { kind: 'refunded', count: 3, sinceMs: NOON_MS - 7 },
    ] as const;
    const findings = found('order-mismatch', anObservation({ stored: { ...NOTHING_WRONG, orders } }));
    expect(findings.map(({ subject, severity, sinceMs }) => [subject, severity, sinceMs])).toEqual([
      ['', 'fault', NOON_MS - 9],
      ['paid-again', 'fault', NOON_MS - 8],
      ['refunded', 'warning', NOON_MS - 7],
    ]);
    expect(findings.map(({ facts }) => findingText('order-mismatch', facts, 'en').title)).toEqual([
      'Orders with a different payment: 1',
      'Orders paid a second time: 2',
      'Refunded orders: 3',
    ]);
  });

  it('reports orders paid otherwise than agreed, differing books, and the database', () => {
    const books = { atMs: NOON_MS, tookMs: 1, details: [] };
    const stored = {
      ...NOTHING_WRONG,
      orders: [{ kind: 'mismatch' as const, count: 2, sinceMs: NOON_MS - 1 }],
      booksCheck: { ...books, differences: 1 },
    };
    expect(evaluateRules(anObservation({ stored })).map(({ rule }) => rule)).toEqual([
      'order-mismatch',
      'books-differ',
    ]);
    const right = { ...NOTHING_WRONG, booksCheck: { ...books, differences: 0 } };
    expect(evaluateRules(anObservation({ stored: right }))).toEqual([]);
    const away = anObservation({ stored: null, databaseAwaySinceMs: NOON_MS - 5_000 });
    expect(found('database-away', away)).toEqual([
      expect.objectContaining({ sinceMs: NOON_MS - 5_000, notifyAfterMs: MINUTE_MS }),
    ]);
  });
});

describe('words', () => {
  const facts = {
    instance: 'web-1',
    worker: 'web-1 #0',
    workers: 'web-1 #0',
    versions: '1, 2',
    revisions: '1',
    pid: 1,
    starts: 4,
    minutes: 15,
    mode: 'spool-full',
    cause: 'disk',
    kind: 'store',
    name: 'redis',
    milliseconds: 1,
    limit: 1,
    seconds: 1,
    newest: 2,
    records: 1,
    quota: 1,
    differences: 1,
    count: 1,
    percent: 1,
    errors: 1,
    calls: 1,
    model: 'm',
    channel: 'c',
    channelId: 1,
    balance: 1,
    bounded: 1,
    job: 'j',
    fault: 'f',
    failures: 2,
    attempts: 4,
  };

  it.each(RULES)('%s has texts in both languages, with all placeholders filled', (rule) => {
    for (const kind of [
      'store',
      'channel',
      'failing',
      'unproven',
      'paid-again',
      'foreign',
      'refunded',
      'disputed',
    ]) {
      const [english, chinese] = (['en', 'zh'] as const).map((language) =>
        Object.values(findingText(rule, { ...facts, kind }, language)).join(' '),
      );
      expect(english).not.toMatch(/[\u4e00-\u9fff{}]/);
      expect(chinese).toMatch(/[\u4e00-\u9fff]/);
      expect(chinese).not.toMatch(/[{}]/);
    }
  });

  it('every degraded mode has a meaning in Chinese', () => {
    expect(Object.keys(MODE_MEANINGS_ZH).sort()).toEqual(Object.keys(DEGRADED_MODES).sort());
    expect(modeMeaning('of-tomorrow', 'en')).toBeUndefined();
  });
});
