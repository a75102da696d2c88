import type { Schemas } from '../api/schemas';

type LatencyRow = Schemas['ChannelLatency']['rows'][number];

/** A model at a channel with times, speed and a price by tokens. */
export function aLatencyRow(parts: Partial<LatencyRow> = {}): LatencyRow {
  return {
    channel_id: 1,
    channel_name: 'OpenAI main',
    model: 'gpt-4o',
    attempts: 294,
    failures: 88,
    first_token_p50_ms: 80,
    first_token_p95_ms: 240,
    duration_p50_ms: 1_500,
    duration_p95_ms: 4_000,
    tokens_per_second: 61.25,
    price_input: 2.5,
    price_output: 10,
    price_per_call: null,
    ...parts,
  };
}
