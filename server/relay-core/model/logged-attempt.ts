import { billedTokens } from './billed-usage.js';
import type { Attempt } from './call.js';

/** One try as a log line keeps it and the explanation of a call reads it back; absent members mean that it answered. */
export const loggedAttempt = (attempt: Attempt): Record<string, unknown> => ({
  channel_id: attempt.channelId,
  started_at_ms: Math.round(attempt.startedAtMs),
  ended_at_ms: Math.round(attempt.endedAtMs),
  ...(attempt.failure === undefined ? {} : { failure: attempt.failure }),
  ...(attempt.upstreamStatus === undefined ? {} : { upstream_status: attempt.upstreamStatus }),
  ...(attempt.billedUsage === undefined ? {} : { upstream_usage: billedTokens([attempt]) }),
});
