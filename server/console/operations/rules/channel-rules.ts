import { momentOf } from '../../../common/moment.js';
import { type ChannelFailure, QUARTER_SECONDS } from '../../../base/channel-statistics/attempt-totals.js';
import type { Finding } from '../model/finding.js';
import type { ChannelAttempts, Observation, RuleTable } from '../model/observation.js';

/** From so many attempts on a share is meaningful; below it every attempt must have failed, and so many of them. */
const MIN_ATTEMPTS = 20;
const MIN_FAILURES = 3;
/** Failures of half of all attempts are no chance events. */
const FAULT_PERCENT = 50;
/** Characters of the provider's sentence in a notice. */
const MAX_MESSAGE = 300;

/** Rules about attempts at channels. */
export const CHANNEL_RULES = { 'channel-failing': failingChannels } satisfies Partial<RuleTable>;

/**
 * Channels of which too many attempts fail, although other channels may answer the calls. The running quarter of an hour decides; with
 * few attempts in it, the one before as well.
 */
function failingChannels(observation: Observation): Finding[] {
  const { stored, nowMs, thresholds } = observation;
  const limit = thresholds.channelFailurePercent;
  if (stored === null || limit === 0) return [];
  const nowSeconds = Math.floor(nowMs / 1_000);
  const running = nowSeconds - (nowSeconds % QUARTER_SECONDS);
  return [...Map.groupBy(stored.attempts, ({ channelId }) => channelId)].flatMap(([channelId, sums]) => {
    const { attempts, failures, start } = decisive(sums, running);
    const percent = attempts === 0 ? 0 : (failures / attempts) * 100;
    const isMuch =
      attempts >= MIN_ATTEMPTS ? percent >= limit : failures >= MIN_FAILURES && failures === attempts;
    if (!isMuch) return [];
    return [
      {
        rule: 'channel-failing',
        subject: String(channelId),
        severity: percent >= FAULT_PERCENT ? 'fault' : 'warning',
        facts: {
          channel: `${stored.channelNames.get(channelId) ?? ''} #${channelId}`.trim(),
          channelId,
          failures,
          attempts,
          percent: Math.round(percent * 10) / 10,
          limit,
          ...failureFacts(stored.channelFailures.get(channelId)),
        },
        sinceMs: momentOf(start * 1_000),
        notifyAfterMs: 0,
      } satisfies Finding,
    ];
  });
}

/** Facts of the newest failure of a channel for the sentences of findings. */
export const failureFacts = (failure: ChannelFailure | undefined): Finding['facts'] =>
  failure === undefined
    ? {}
    : { reason: failure.reason, status: failure.status, message: failure.message.slice(0, MAX_MESSAGE) };

function decisive(sums: readonly ChannelAttempts[], running: number): Omit<ChannelAttempts, 'channelId'> {
  const now = sums.filter(({ start }) => start >= running);
  const few = now.reduce((sum, { attempts }) => sum + attempts, 0) < MIN_ATTEMPTS;
  const counted = few ? sums : now;
  return {
    start: Math.min(...counted.map(({ start }) => start)),
    attempts: counted.reduce((sum, { attempts }) => sum + attempts, 0),
    failures: counted.reduce((sum, { failures }) => sum + failures, 0),
  };
}
