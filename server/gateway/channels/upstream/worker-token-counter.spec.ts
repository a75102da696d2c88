import { afterAll, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../../infra/clock/system-clock.js';
import { estimateTokens } from '../../../relay-core/framing/estimate-tokens.js';
import { WorkerTokenCounter } from './worker-token-counter.js';

const PROSE =
  'The quick brown fox jumps over the lazy dog. Pack my box with five dozen liquor jugs, said Anna; it was 1984 and nobody ' +
  'had answered her letters since March. "Why," she asked, "would anyone build a toll gate in the middle of a meadow?"';

describe('WorkerTokenCounter', () => {
  const counter = new WorkerTokenCounter(new SystemClock());
  afterAll(() => counter.onApplicationShutdown());

  it('counts off the main thread what a tokenizer counts', async () => {
    await expect(counter.count(' tok'.repeat(50), 'fx-nousage')).resolves.toBe(50);
    const counted = await counter.count(PROSE, 'gpt-4o');
    expect(Math.abs(estimateTokens(PROSE) - counted) / counted).toBeLessThan(0.2);
  });

  it('takes special tokens in a text for text', async () => {
    await expect(counter.count('<|endoftext|>', 'gpt-4o')).resolves.toBeGreaterThan(1);
  });

  it('answers within its budget for an unbroken run, and leaves the event loop alone [RLY-08]', async () => {
    const startedAtMs = performance.now();
    const [letters, ideographs] = await Promise.all([
      counter.count('a'.repeat(100_000), 'gpt-4o'),
      counter.count('的'.repeat(50_000), 'gpt-4o'),
    ]);
    expect(letters).toBeGreaterThan(5_000);
    expect(ideographs).toBeGreaterThan(20_000);
    expect(performance.now() - startedAtMs).toBeLessThan(500);
  });

  it('estimates by size above 256 KiB [RLY-08]', async () => {
    await expect(counter.count('b'.repeat(300 * 1024), 'gpt-4o')).resolves.toBe(102_400);
  });
});
