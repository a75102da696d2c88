import { describe, expect, it } from '@jest/globals';
import { GenerateMeter } from './meter.js';
import { candidate, frame } from '../../../../test/support/fixtures/gemini-replies.fixture.js';

describe('the meter', () => {
  const whole = (document: unknown): GenerateMeter & { verdict?: string } => {
    const meter: GenerateMeter & { verdict?: string } = new GenerateMeter();
    meter.verdict = meter.readWhole(Buffer.from(JSON.stringify(document)));
    return meter;
  };

  it.each([
    ['an error object', { error: { code: 500, message: 'x' } }],
    ['an answer that ended badly', frame([candidate([], { finishReason: 'MALFORMED_FUNCTION_CALL' })])],
    ['a sentence without an answer (UP-06)', { message: 'key AIza… is bad' }],
  ])('calls %s an error', (_name, document) => {
    expect(whole(document).verdict).toBe('error');
  });

  it.each([
    ['no candidates', { candidates: [] }],
    ['a candidate without a word', { candidates: [{ index: 0 }] }],
    ['figures alone', { usageMetadata: { promptTokenCount: 4 } }],
  ])('calls %s empty', (_name, document) => {
    expect(whole(document).verdict).toBe('empty');
  });

  it.each([
    ['negative', { promptTokenCount: -1, candidatesTokenCount: 1 }],
    ['fractional', { promptTokenCount: 1.5, candidatesTokenCount: 1 }],
    ['text', { promptTokenCount: '5', candidatesTokenCount: 1 }],
  ])('takes no %s figures [UP-01]', (_name, usageMetadata) => {
    const meter = whole(frame([candidate([{ text: 'x' }], { finishReason: 'STOP' })], usageMetadata));
    expect(meter.verdict).toBe('answer');
    expect(meter.usage).toBeUndefined();
    expect(meter.usageIsInvalid).toBe(true);
  });

  it.each([
    ['cached', { cachedContentTokenCount: 9 }, { cacheRead: 1 }],
    ['pictures', { promptTokensDetails: [{ modality: 'IMAGE', tokenCount: 2 }] }, { image: 1 }],
  ])('cuts more %s than it read to what it read [UP-01]', (_name, more, part) => {
    const figures = { promptTokenCount: 1, candidatesTokenCount: 1, ...more };
    const meter = whole(frame([candidate([{ text: 'x' }], { finishReason: 'STOP' })], figures));
    expect(meter.usage).toEqual({
      input: { total: 1, ...part },
      output: { total: 1 },
      reading: 'parts-cut',
    });
  });

  it('adds what tools read to the prompt, thoughts to the answer, and keeps kinds apart', () => {
    const usageMetadata = {
      promptTokenCount: 100,
      toolUsePromptTokenCount: 20,
      cachedContentTokenCount: 30,
      candidatesTokenCount: 40,
      thoughtsTokenCount: 10,
      totalTokenCount: 170,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 50 },
        { modality: 'AUDIO', tokenCount: 50 },
      ],
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 33 }],
    };
    expect(whole(frame([candidate([{ text: 'x' }])], usageMetadata)).usage).toEqual({
      input: { total: 120, cacheRead: 30, audio: 50 },
      output: { total: 50, reasoning: 10, image: 33 },
    });
  });

  it('takes the rest of the total as answer where candidates are not reported', () => {
    const meter = whole(frame([candidate([{ text: 'x' }])], { promptTokenCount: 10, totalTokenCount: 25 }));
    expect(meter.usage?.output.total).toBe(15);
  });

  it('counts a search once per answer', () => {
    const grounded = candidate([{ text: 'x' }], { groundingMetadata: { webSearchQueries: ['a', 'b'] } });
    expect(whole(frame([grounded], { promptTokenCount: 1, candidatesTokenCount: 1 })).usage?.tools).toEqual({
      'web-search': 1,
    });
  });

  it('ends an array with its bracket', () => {
    expect(new GenerateMeter().readEvent(Buffer.from(']'), 0, 1)).toBe('end');
  });
});
