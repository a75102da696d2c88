import { describe, expect, it } from '@jest/globals';
import { ResponseCount } from './response-count.js';
import { PCM_BYTES_PER_SECOND } from './sound-length.js';

/** One token per character. */
const estimate = (text: string): number => text.length;
const SECOND = PCM_BYTES_PER_SECOND;

describe('ResponseCount', () => {
  it('counts nothing of what brought and read nothing', () => {
    const response = new ResponseCount(estimate, true);
    expect(response.hasOutput).toBe(false);
    expect(response.usage(undefined)).toEqual({ input: { total: 0 }, output: { total: 0, audio: 0 } });
  });

  it('counts a minute of speech as the vendor prices it, each part of a token as a whole one', () => {
    const response = new ResponseCount(estimate, true);
    response.spokenBytes = 60 * SECOND;
    // 200 ÷ 0.24 = 833.33 a minute.
    expect(response.usage(undefined).output).toEqual({ total: 834, audio: 834 });
    const short = new ResponseCount(estimate, true);
    short.spokenBytes = 1;
    expect(short.usage(undefined).output).toEqual({ total: 1, audio: 1 });
  });

  it('takes what a report named meanwhile when it began before any report and read less', () => {
    const response = new ResponseCount(estimate, false);
    response.input = () => ({ total: 5 });
    const named = { total: 100, audio: 30, cacheRead: 20 };
    expect(response.usage(named).input).toEqual({ total: 5 });
    response.isUnnamed = true;
    expect(response.usage(named).input).toEqual(named);
    expect(response.usage({ total: undefined }).input).toEqual({ total: 5 });
    expect(response.usage({ total: 4 }).input).toEqual({ total: 5 });
  });
});
