import { describe, expect, it } from '@jest/globals';
import { optionsOfPrice } from './options-of-price.js';

const of = (price: object) => optionsOfPrice({ model: 'm', provider: 'p', ...price });

describe('optionsOfPrice', () => {
  it('spreads dollars per million tokens over ratios', () => {
    expect(of({ input: 2.5, output: 10, cacheRead: 1.25, cacheWrite: 3.125 })).toEqual({
      ModelRatio: 1.25,
      CompletionRatio: 4,
      CacheRatio: 0.5,
      CreateCacheRatio: 1.25,
    });
  });

  it('writes a price per call and nothing else', () => {
    expect(of({ perCall: 0.04, input: 5 })).toEqual({ ModelPrice: 0.04 });
  });

  it('writes nothing for a price without input', () => {
    expect(of({ output: 3 })).toEqual({});
  });

  it('turns a price per minute of audio into one per token', () => {
    expect(of({ perAudioMinute: 0.006 })).toEqual({ ModelRatio: 3 });
  });

  it('leaves the hour of a cache out where it costs 1.6 times the shorter one', () => {
    expect(of({ input: 5, cacheWrite: 6.25, cacheWrite1h: 10 })).not.toHaveProperty('CreateCache1hRatio');
    expect(of({ input: 5, cacheWrite: 6.25, cacheWrite1h: 12 })).toMatchObject({ CreateCache1hRatio: 2.4 });
  });

  it('measures audio output against audio input, else against text', () => {
    expect(of({ input: 4, audioInput: 32, audioOutput: 64 })).toMatchObject({
      AudioRatio: 8,
      AudioCompletionRatio: 2,
    });
    expect(of({ input: 4, audioOutput: 8 })).toMatchObject({ AudioRatio: 1, AudioCompletionRatio: 2 });
  });

  it('writes thoughts and images only when their price differs from text', () => {
    expect(of({ input: 1, output: 4, reasoning: 4, imageOutput: 4 })).toEqual({
      ModelRatio: 0.5,
      CompletionRatio: 4,
    });
    expect(of({ input: 1, output: 4, reasoning: 6, imageOutput: 30 })).toMatchObject({
      ReasoningRatio: 6,
      ImageCompletionRatio: 30,
    });
  });
});
