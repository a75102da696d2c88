import { describe, expect, it } from '@jest/globals';
import { PCM_BYTES_PER_SECOND, ResponseCount, WaitingInput } from './response-count.js';

/** One token per character. */
const estimate = (text: string): number => text.length;
const SECOND = PCM_BYTES_PER_SECOND;

describe('ResponseCount', () => {
  it('counts nothing of what brought and read nothing', () => {
    const response = new ResponseCount(estimate, true);
    expect(response.hasOutput).toBe(false);
    expect(response.usage(undefined)).toEqual({
      input: { total: 0, audio: 0 },
      output: { total: 0, audio: 0 },
    });
  });

  it('counts a minute of sound as the vendor prices it, each part of a token as a whole one', () => {
    const input = new WaitingInput(estimate);
    input.heardBytes = 60 * SECOND;
    const response = new ResponseCount(estimate, true);
    response.read(input);
    response.spokenBytes = 60 * SECOND;
    // 100 ÷ 0.06 = 1,666.67 and 200 ÷ 0.24 = 833.33 a minute.
    expect(response.usage(undefined)).toEqual({
      input: { total: 1_667, audio: 1_667 },
      output: { total: 834, audio: 834 },
    });
    const short = new ResponseCount(estimate, true);
    short.spokenBytes = 1;
    expect(short.usage(undefined).output).toEqual({ total: 1, audio: 1 });
  });

  it('adds what it read to the context the last report named, which holds the tools', () => {
    const input = new WaitingInput(estimate);
    input.text.appendText('hello');
    expect(input.isEmpty).toBe(false);
    const response = new ResponseCount(estimate, false);
    response.toolTokens = 40;
    response.read(input);
    response.text.appendText('hi');
    expect(response.usage({ total: 100, audio: 30, cacheRead: 20 })).toEqual({
      input: { total: 105, audio: 30, cacheRead: 20 },
      output: { total: 2, audio: 0 },
    });
    expect(response.usage({ total: undefined }).input).toEqual({ total: 5, audio: 0 });
    expect(response.usage(undefined).input).toEqual({ total: 45, audio: 0 });
  });

  it('reads no context again for pieces that come after their end was charged', () => {
    const response = new ResponseCount(estimate, false);
    response.isLate = true;
    response.text.addTokens(3);
    expect(response.usage({ total: 100 })).toEqual({
      input: { total: 0, audio: 0 },
      output: { total: 3, audio: 0 },
    });
  });
});
