/**
 * List prices of providers for calls whose input is longer than `above` tokens, in US dollars per million tokens, as published in
 * July and August 2026. They hold for the whole call. Facts only: the option LongContextRatio is derived from them.
 */
export interface LongContextPrice {
  readonly above: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export const LONG_CONTEXT_PRICES: Readonly<Record<string, readonly LongContextPrice[]>> = {
  'gpt-5.4': [{ above: 272_000, input: 5, output: 22.5, cacheRead: 0.5 }],
  'gpt-5.4-pro': [{ above: 272_000, input: 60, output: 270 }],
  'gpt-5.5': [{ above: 272_000, input: 10, output: 45, cacheRead: 1 }],
  'gpt-5.5-pro': [{ above: 272_000, input: 60, output: 270 }],
  'gpt-5.6-sol': [{ above: 272_000, input: 10, output: 45, cacheRead: 1, cacheWrite: 12.5 }],
  'gpt-5.6-terra': [{ above: 272_000, input: 4, output: 18, cacheRead: 0.4, cacheWrite: 5 }],
  'gpt-5.6-luna': [{ above: 272_000, input: 0.4, output: 1.8, cacheRead: 0.04, cacheWrite: 0.5 }],
  'claude-sonnet-4-5': [{ above: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5 }],
  'claude-sonnet-4-5-20250929': [{ above: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5 }],
  'gemini-2.5-pro': [{ above: 200_000, input: 2.5, output: 15, cacheRead: 0.25 }],
  'gemini-3-pro-preview': [{ above: 200_000, input: 4, output: 18, cacheRead: 0.4 }],
  'gemini-3.1-pro-preview': [{ above: 200_000, input: 4, output: 18, cacheRead: 0.4 }],
  'gemini-1.5-pro': [{ above: 128_000, input: 2.5, output: 10, cacheRead: 0.625 }],
  'gemini-1.5-flash': [{ above: 128_000, input: 0.15, output: 0.6, cacheRead: 0.0375 }],
  'gemini-1.5-flash-8b': [{ above: 128_000, input: 0.075, output: 0.3, cacheRead: 0.02 }],
  'grok-4.20-0309-reasoning': [{ above: 200_000, input: 2.5, output: 5, cacheRead: 0.4 }],
  'grok-4.20-0309-non-reasoning': [{ above: 200_000, input: 2.5, output: 5, cacheRead: 0.4 }],
  'grok-4.3': [{ above: 200_000, input: 2.5, output: 5, cacheRead: 0.4 }],
  'grok-build-0.1': [{ above: 200_000, input: 2, output: 4, cacheRead: 0.4 }],
  'grok-4.20-multi-agent-0309': [{ above: 200_000, input: 2.5, output: 5, cacheRead: 0.4 }],
  'MiniMax-M3': [{ above: 512_000, input: 0.6, output: 2.4, cacheRead: 0.12 }],
  'qwen3.6-plus': [{ above: 256_000, input: 2, output: 6, cacheRead: 0.2, cacheWrite: 2.5 }],
  'qwen3.7-plus': [{ above: 256_000, input: 2, output: 6, cacheRead: 0.2, cacheWrite: 2.5 }],
  'seed-2-0-pro': [{ above: 128_000, input: 1, output: 6, cacheRead: 0.2 }],
  'seed-2-0-lite': [{ above: 128_000, input: 0.5, output: 4, cacheRead: 0.1 }],
  'seed-2-0-mini': [{ above: 128_000, input: 0.2, output: 0.8, cacheRead: 0.04 }],
  'seed-1-8': [{ above: 128_000, input: 0.5, output: 4, cacheRead: 0.05 }],
  'seed-1-6': [{ above: 128_000, input: 0.5, output: 4, cacheRead: 0.05 }],
  'seed-1-6-flash': [{ above: 128_000, input: 0.1, output: 0.8, cacheRead: 0.015 }],
};
