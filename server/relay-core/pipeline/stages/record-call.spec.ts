import { describe, expect, it } from '@jest/globals';
import { aCaller, aRoute, MemoryPorts } from '../../../../test/support/memory-ports.js';
import { aClientCall } from '../../../../test/support/relay-calls.js';
import type { FinishedCall } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import type { ReplyRecord } from '../context/attempt.js';
import { recordAnswer, recordAttemptFailure, recordFailure } from './record-call.js';

const UPSTREAM: RelayError = { kind: 'upstream-broken', blame: 'upstream', message: 'm' };
const CALLER: RelayError = { kind: 'client-gone', blame: 'caller', message: 'm' };

function answered(outcome: ReplyRecord['outcome'], error?: RelayError) {
  const ports = new MemoryPorts();
  const finished = {
    shape: { operation: 'chat', model: 'm' },
    startedAtMs: 1,
    attempts: [{ startedAtMs: 3 }, { startedAtMs: 9 }],
  } as unknown as FinishedCall;
  const record = { outcome, error } as ReplyRecord;
  recordAnswer(ports, { caller: aCaller({ userId: 7 }), route: aRoute({ channelId: 5 }), record, finished });
  const { health, admission } = ports;
  const told = [health.successes, health.failures, admission.successes];
  return { told, startedAtMs: health.startedAtMs };
}

describe('recordAnswer', () => {
  it.each<[ReplyRecord['outcome'], RelayError | undefined, unknown]>([
    ['ok', undefined, [[5], [], [7]]],
    ['partial', UPSTREAM, [[], [{ channelId: 5, kind: 'upstream-broken' }], []]],
    ['client_abort', CALLER, [[], [], []]],
    ['limit', undefined, [[], [], []]],
  ])('reports an answer that ended %s as it concerns channel and caller', (outcome, error, told) => {
    expect(answered(outcome, error).told).toEqual(told);
  });

  it('records when the channel was tried, whatever was tried before', () => {
    expect(answered('ok').startedAtMs).toEqual([9]);
    expect(answered('partial', UPSTREAM).startedAtMs).toEqual([9]);
  });
});

describe('recordAttemptFailure', () => {
  it('holds against a channel only what its upstream did', () => {
    const ports = new MemoryPorts();
    for (const error of [CALLER, UPSTREAM])
      recordAttemptFailure(ports, aRoute({ channelId: 5 }), error, {
        kind: 'chat',
        model: 'm',
        startedAtMs: 0,
      });
    expect(ports.health.failures).toEqual([{ channelId: 5, kind: 'upstream-broken' }]);
  });
});

describe('recordFailure', () => {
  const INSUFFICIENT: RelayError = {
    kind: 'quota-insufficient',
    blame: 'caller',
    scope: 'user',
    message: 'm',
  };
  const LIMITED: RelayError = { kind: 'rate-limited', blame: 'caller', message: 'm', retryAfterMs: 1 };

  function recorded(error: RelayError, logErrors = true) {
    const ports = new MemoryPorts();
    ports.options.value = { ...ports.options.value, logErrors };
    const startedMs = ports.clock.monotonicMs() + 0.4;
    ports.clock.advance(12);
    recordFailure(ports, {
      call: aClientCall({ callId: 'call-7', path: '/v1/x', receivedAtMs: 3 }),
      caller: aCaller(),
      shape: { operation: 'chat', model: 'm', stream: true },
      error,
      status: 502,
      attempts: [],
      startedMs,
    });
    return ports.journal.failures;
  }

  it('writes a line with what the call was and how long it took', () => {
    expect(recorded(UPSTREAM)).toEqual([
      {
        callId: 'call-7',
        caller: aCaller(),
        shape: { operation: 'chat', model: 'm', stream: true },
        error: UPSTREAM,
        status: 502,
        startedAtMs: 3,
        durationMs: 12,
        attempts: [],
        path: '/v1/x',
      },
    ]);
  });

  it.each([INSUFFICIENT, LIMITED, CALLER])('writes none about everyday business: $kind', (error) => {
    expect(recorded(error)).toEqual([]);
  });

  it('writes none where the operator wants none', () => {
    expect(recorded(UPSTREAM, false)).toEqual([]);
  });
});
