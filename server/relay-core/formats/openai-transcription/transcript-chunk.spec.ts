import { describe, expect, it } from '@jest/globals';
import { readTranscriptChunk } from './transcript-chunk.js';

const chunk = (delta: unknown, reason: unknown = null) => ({ choices: [{ delta, finish_reason: reason }] });

describe('readTranscriptChunk', () => {
  it.each([
    [chunk({ content: 'Hello' }), { text: 'Hello', isLast: false, usage: undefined }],
    [chunk({}, 'stop'), { text: '', isLast: true, usage: undefined }],
    [chunk(null, ''), { text: '', isLast: false, usage: undefined }],
    [{ choices: [] }, { text: '', isLast: false, usage: undefined }],
    [
      { choices: [{ delta: { content: 'a' } }, { delta: { content: 'b' } }] },
      { text: 'ab', isLast: false, usage: undefined },
    ],
  ])('reads %j', (document, read) => {
    expect(readTranscriptChunk(document)).toEqual(read);
  });

  it('reads figures beside a piece, and figures that cannot be true', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    expect(readTranscriptChunk({ choices: [], usage })?.usage).toMatchObject({
      input: { total: 5 },
      output: { total: 2 },
    });
    expect(readTranscriptChunk({ choices: [], usage: { ...usage, prompt_tokens: -1 } })?.usage).toBe(
      'invalid',
    );
  });

  it.each([undefined, null, 'text', [], {}, { choices: {} }, { type: 'transcript.text.delta', delta: 'x' }])(
    'leaves %j to the reader of the other form',
    (document) => {
      expect(readTranscriptChunk(document)).toBeUndefined();
    },
  );
});
