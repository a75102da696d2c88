import { secondsToWait } from '../../common/retry-after.js';
import { limitIn, toWholeSecond } from './full-limit.js';
import type { LimitFigures } from './limit-refusal.js';
import type { RelayError } from './relay-error.js';

/** Figures of the limit that refused a call; undefined = it counts neither requests nor all tokens, or does not start anew. */
export function figuresOfRefusal(error: RelayError): LimitFigures | undefined {
  const limit = limitIn(error);
  if (limit === undefined || limit.resets_at === null || limit.needed !== undefined) return undefined;
  if (limit.measure !== 'requests' && limit.measure !== 'tokens') return undefined;
  return {
    [limit.measure]: { limit: limit.amount, remaining: 0, resetsAtMs: Date.parse(limit.resets_at) },
  };
}

type Headers = Readonly<Record<string, string>>;

/** OpenAI's form of the figures: `x-ratelimit-limit-requests: 60`, `x-ratelimit-reset-requests: 6m0s`. */
export function openaiLimitHeaders(figures: LimitFigures, nowMs: number): Headers {
  const headers: Record<string, string> = {};
  for (const kind of ['requests', 'tokens'] as const) {
    const figure = figures[kind];
    if (figure === undefined) continue;
    headers[`x-ratelimit-limit-${kind}`] = String(figure.limit);
    headers[`x-ratelimit-remaining-${kind}`] = String(Math.max(0, figure.remaining));
    headers[`x-ratelimit-reset-${kind}`] = durationText(figure.resetsAtMs - nowMs);
  }
  return headers;
}

/** Anthropic's form of the figures: `anthropic-ratelimit-requests-reset: 2026-11-29T10:00:20Z`. */
export function anthropicLimitHeaders(figures: LimitFigures): Headers {
  const headers: Record<string, string> = {};
  for (const kind of ['requests', 'tokens'] as const) {
    const figure = figures[kind];
    if (figure === undefined) continue;
    headers[`anthropic-ratelimit-${kind}-limit`] = String(figure.limit);
    headers[`anthropic-ratelimit-${kind}-remaining`] = String(Math.max(0, figure.remaining));
    headers[`anthropic-ratelimit-${kind}-reset`] = toWholeSecond(figure.resetsAtMs);
  }
  return headers;
}

/** A wait as OpenAI writes it: `1s`, `6m0s`, `1h0m0s`; days become hours. */
export function durationText(waitMs: number): string {
  const seconds = secondsToWait(waitMs);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const rest = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

/** Names of all headers above, for `Access-Control-Expose-Headers`. */
export const LIMIT_HEADERS: readonly string[] = (['requests', 'tokens'] as const).flatMap((kind) => [
  `x-ratelimit-limit-${kind}`,
  `x-ratelimit-remaining-${kind}`,
  `x-ratelimit-reset-${kind}`,
  `anthropic-ratelimit-${kind}-limit`,
  `anthropic-ratelimit-${kind}-remaining`,
  `anthropic-ratelimit-${kind}-reset`,
]);
