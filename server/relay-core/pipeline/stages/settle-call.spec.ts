import { describe, expect, it } from '@jest/globals';
import { aCaller, aRoute, MemoryPorts } from '../../../../test/support/memory-ports.js';
import { aFixedPrice } from '../../../../test/support/price-snapshots.js';
import { aClientCall } from '../../../../test/support/relay-calls.js';
import { toQuota } from '../../../common/quota.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Quote } from '../../ports/price-book.js';
import type { ReplyRecord } from '../context/attempt.js';
import { describeCall } from './settle-call.js';

const VENDOR_WORDS = { status: 500, sentence: 'out of memory' };
const BROKEN: RelayError = { kind: 'upstream-broken', blame: 'upstream', message: 'It broke off.' };
const USAGE = { input: { total: 3 }, output: { total: 4 } };

interface Ended {
  readonly firstContentMs?: number | undefined;
  readonly error?: RelayError;
  readonly note?: string;
  readonly effort?: string;
  readonly warnings?: Parameters<typeof describeCall>[1]['warnings'];
  readonly task?: object;
  /** Duration of the call, and the part of a millisecond of its start beyond a whole one. */
  readonly tookMs?: number;
  readonly partMs?: number;
}

function described({ tookMs = 0, partMs = 0, ...ended }: Ended = {}) {
  const { clock } = new MemoryPorts();
  const startedMs = clock.monotonicMs() + partMs;
  clock.advance(tookMs);
  const offset = ended.firstContentMs;
  // Only what a description reads of them.
  const record = {
    type: 'ended',
    outcome: ended.error === undefined ? 'ok' : 'partial',
    meter: { task: ended.task },
    error: ended.error,
    firstContentMs: offset === undefined ? undefined : startedMs + offset,
  } as unknown as ReplyRecord;
  const quote = {
    snapshot: aFixedPrice('1'),
    charge: ({ input, output }: typeof USAGE) => toQuota(input.total * 10 + output.total),
  } as unknown as Quote;
  return describeCall(clock, {
    call: aClientCall({ callId: 'call-7', path: '/v1/x', receivedAtMs: 5 }),
    caller: aCaller(),
    shape: { operation: 'chat', model: 'asked', stream: true, promptTokens: 9, choices: 2 } as CallShape,
    quote,
    route: aRoute({ channelId: 8, upstreamModel: 'sent', isModelMapped: true }),
    isNative: true,
    record,
    measure: { usage: USAGE, evidence: 'reported', note: ended.note ?? '' },
    attempts: [],
    warnings: ended.warnings ?? [],
    effort: ended.effort,
    startedMs,
  });
}

describe('describeCall', () => {
  it('prices what was used under the quote of the call, and keeps of its shape what is on record', () => {
    expect(described()).toMatchObject({
      callId: 'call-7',
      path: '/v1/x',
      channelId: 8,
      upstreamModel: 'sent',
      isModelMapped: true,
      isNative: true,
      usage: USAGE,
      priced: 34,
      startedAtMs: 5,
      outcome: 'ok',
    });
    expect(described().shape).toEqual({ operation: 'chat', model: 'asked', stream: true });
  });

  it.each<[string, Ended, number | undefined, number]>([
    ['at once', { firstContentMs: 0 }, 0, 0],
    ['without content', { tookMs: 12 }, undefined, 12],
    ['in parts of milliseconds', { firstContentMs: 1.5, tookMs: 12, partMs: 0.6 }, 2, 11],
    ['before its start, by the clock', { firstContentMs: -1, partMs: 5 }, 0, 0],
  ])('records whole milliseconds, none below zero, of a call that ended %s', (_what, ended, first, whole) => {
    const { firstByteMs, durationMs } = described(ended);
    expect([firstByteMs, durationMs]).toEqual([first, whole]);
    expect(Object.is(firstByteMs, -0) || Object.is(durationMs, -0)).toBe(false);
  });

  it.each<[string, Ended, string]>([
    ['nothing', {}, ''],
    ['how it was measured', { note: 'counted here' }, 'counted here'],
    ['how it ended', { error: BROKEN }, 'It broke off.'],
    ['both, the end last', { note: 'counted here', error: BROKEN }, 'counted here; It broke off.'],
  ])('notes %s', (_what, ended, note) => {
    expect(described(ended).note).toBe(note);
  });

  it('keeps a vendor’s own words of its failures only', () => {
    expect(described({ error: { ...BROKEN, vendorSays: VENDOR_WORDS } as RelayError })).toMatchObject({
      vendorSays: VENDOR_WORDS,
    });
    for (const error of [
      BROKEN,
      { ...BROKEN, blame: 'caller', vendorSays: VENDOR_WORDS } as unknown as RelayError,
    ])
      expect(described({ error })).not.toHaveProperty('vendorSays');
  });

  it('leaves out empty parts', () => {
    const always = described();
    for (const name of ['effort', 'task', 'warnings', 'vendorSays']) expect(always).not.toHaveProperty(name);
    const warnings = [{ setting: 'seed', reason: 'unknown' }];
    const task = { id: 't' };
    for (const [name, value] of Object.entries({ effort: '', warnings, task })) {
      const said = described({ [name]: value });
      expect(said).toEqual({ ...always, [name]: value });
    }
    expect(described({ effort: 'high', warnings, task })).toEqual({
      ...always,
      effort: 'high',
      warnings,
      task,
    });
  });
});
