import { describe, expect, it } from '@jest/globals';
import {
  anObservation,
  aReport,
  heard,
  NOON_MS,
  NOTHING_WRONG,
} from '../../../../test/support/observations.js';
import { findingText } from '../alerts/finding-texts.js';
import type { Finding } from '../model/finding.js';
import type { ChannelAttempts } from '../model/observation.js';
import { evaluateRules } from './evaluate-rules.js';

const NOON = NOON_MS / 1_000;
const FAILURE = {
  channelId: 7,
  failedAtMs: NOON_MS,
  model: 'gpt-4o',
  reason: 'upstream-key-refused',
  status: 401,
  message: 'Incorrect API key provided {x}',
};

const found = (attempts: readonly ChannelAttempts[], channelFailurePercent = 10): readonly Finding[] => {
  const observation = anObservation({
    stored: {
      ...NOTHING_WRONG,
      attempts,
      channelNames: new Map([[7, 'flaky']]),
      channelFailures: new Map([[7, FAILURE]]),
    },
  });
  const { thresholds } = observation;
  return evaluateRules({ ...observation, thresholds: { ...thresholds, channelFailurePercent } });
};

const running = (attempts: number, failures: number): ChannelAttempts => ({
  channelId: 7,
  start: NOON,
  attempts,
  failures,
});
const before = (attempts: number, failures: number): ChannelAttempts => ({
  ...running(attempts, failures),
  start: NOON - 900,
});

describe('channels that fail', () => {
  it('names a channel that fails 30 % of its attempts, with its provider’s sentence', () => {
    const [finding] = found([running(100, 30)]);
    expect(finding).toMatchObject({
      rule: 'channel-failing',
      subject: '7',
      severity: 'warning',
      notifyAfterMs: 0,
      sinceMs: NOON_MS,
      facts: { channel: 'flaky #7', attempts: 100, failures: 30, percent: 30, status: 401 },
    });
    const text = findingText('channel-failing', finding?.facts ?? {}, 'en');
    expect(text.title).toBe('Channel flaky #7 fails 30 % of its attempts');
    expect(text.sentence).toContain('the provider refuses the key (401): Incorrect API key provided x');
    expect(findingText('channel-failing', finding?.facts ?? {}, 'zh').sentence).toContain('服务商拒绝该密钥');
  });

  it('lets the running quarter of an hour decide, with few attempts both', () => {
    expect(found([before(1_000, 0), running(20, 6)])).toHaveLength(1);
    expect(found([before(1_000, 500), running(20, 0)])).toEqual([]);
    expect(found([before(15, 2), running(5, 1)])).toMatchObject([{ facts: { attempts: 20, failures: 3 } }]);
    expect(found([before(15, 0), running(5, 1)])).toEqual([]);
  });

  it('makes nothing of few attempts unless all of them fail', () => {
    expect(found([running(2, 2)])).toEqual([]);
    expect(found([running(4, 3)])).toEqual([]);
    expect(found([running(3, 3)])).toMatchObject([{ severity: 'fault', facts: { percent: 100 } }]);
  });

  it('keeps to the limit, and does not watch without one', () => {
    expect(found([running(100, 30)], 31)).toEqual([]);
    expect(found([running(100, 100)], 0)).toEqual([]);
  });

  it('gives the reason of a channel that is left alone', () => {
    const rest = { channelId: 7, model: '', sinceMs: NOON_MS - 9, untilMs: NOON_MS, keys: [] };
    const observation = anObservation({
      reports: [heard(aReport({ restingChannels: [rest] }))],
      stored: { ...NOTHING_WRONG, channelFailures: new Map([[7, FAILURE]]) },
    });
    const [finding] = evaluateRules(observation);
    expect(finding).toMatchObject({ rule: 'breaker-open', facts: { status: 401 } });
    expect(findingText('breaker-open', finding?.facts ?? {}, 'en').sentence).toContain('Incorrect API key');
  });
});
