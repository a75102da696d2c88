import { describe, expect, it } from '@jest/globals';
import { readGenerateReply } from './read-reply.js';
import { writeGenerateReply } from './write-reply.js';
import { context, candidate, frame } from '../../../../test/support/fixtures/gemini-replies.fixture.js';

describe('whole replies', () => {
  it('writes them as they were in the same format, unknown members included', () => {
    const document = {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'Hm.', thought: true, thoughtSignature: 'dGg=' },
              { text: 'Hi' },
              { executableCode: { language: 'PYTHON', code: '1' } },
              { functionCall: { id: 'f1', name: 'look', args: { a: [1, null] } }, thoughtSignature: 'c2ln' },
              { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
              { newKind: { x: 1 } },
            ],
          },
          finishReason: 'STOP',
          index: 0,
          safetyRatings: [{ category: 'X', probability: 'LOW' }],
        },
      ],
      promptFeedback: { safetyRatings: [] },
      modelVersion: 'gemini-served',
      responseId: 'resp-1',
    };
    const read = readGenerateReply(Buffer.from(JSON.stringify(document)));
    if (!read.ok) throw new Error(read.error.message);
    expect(JSON.parse(writeGenerateReply(read.value, context).toString())).toEqual(document);
  });

  it('place sources in characters, not bytes', () => {
    const read = readGenerateReply(
      Buffer.from(
        JSON.stringify(
          frame([
            candidate([{ text: 'Zürich ist schön.' }], {
              groundingMetadata: {
                groundingChunks: [{ web: { uri: 'https://example.org/z', title: 'Z' } }],
                groundingSupports: [{ segment: { startIndex: 8, endIndex: 19 }, groundingChunkIndices: [0] }],
              },
            }),
          ]),
        ),
      ),
    );
    const source = read.ok ? read.value.choices[0]?.content.at(-1) : undefined;
    expect(source).toEqual({
      type: 'source',
      source: { url: 'https://example.org/z', title: 'Z', start: 7, end: 17 },
    });
  });

  it.each(['', 'null', '[]', '{}', '{"candidates":{}}', '<html>'])('refuses %p', (text) => {
    expect(readGenerateReply(Buffer.from(text))).toMatchObject({
      ok: false,
      error: { kind: 'upstream-malformed' },
    });
  });
});
