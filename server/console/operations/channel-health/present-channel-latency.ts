import type { AttemptSum } from '../../../base/channel-statistics/attempt-statistics.js';
import type { DollarPrice } from '../../../base/pricing/dollar-price.js';
import type { ChannelLatencyView } from '../dto/channel-latency.dto.js';
import { figuresOf, speedOf } from './present-channel-health.js';

type LatencyRow = ChannelLatencyView['rows'][number];

/** Most rows of one answer. */
const MAX_ROWS = 500;

/** Pairs of model and channel with most attempts first, 500 at most; pairs with equally many by model, then channel. */
export const mostUsedPairs = (sums: readonly AttemptSum[]): readonly AttemptSum[] =>
  sums
    .toSorted((a, b) => b.attempts - a.attempts || compareText(a.model, b.model) || a.channelId - b.channelId)
    .slice(0, MAX_ROWS);

/** One model at one channel. Prices are those of the model: every channel sells it at the same price. */
export function presentLatency(sum: AttemptSum, channelName: string, price: DollarPrice): LatencyRow {
  const { billed_tokens: _billed, ...figures } = figuresOf(sum);
  return {
    channel_id: sum.channelId,
    channel_name: channelName,
    model: sum.model,
    ...figures,
    tokens_per_second: speedOf(sum),
    price_input: price.input,
    price_output: price.output,
    price_per_call: price.perCall,
  };
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
