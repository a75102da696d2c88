import { describe, expect, it } from '@jest/globals';
import { AnswerReader } from './answer-reader';
import { type MessagePart, withPiece } from './messages';

const delta = (members: object, finish_reason: string | null = null) =>
  JSON.stringify({ choices: [{ delta: members, finish_reason }] });

function readAll(...events: readonly string[]) {
  const reader = new AnswerReader();
  const pieces = events.flatMap((event) => reader.read(event));
  return { reader, parts: [...pieces, ...reader.end()].reduce<readonly MessagePart[]>(withPiece, []) };
}

describe('AnswerReader', () => {
  it('makes a part of each run of reasoning and of text', () => {
    const { parts } = readAll(
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'h' }),
      delta({ reasoning_content: 'm' }),
      delta({ content: 'Be' }),
      delta({ content: 'cause' }),
    );
    expect(parts).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Because' },
    ]);
  });

  it('joins the pieces of each tool call, and keeps arguments that are no JSON as text', () => {
    const { parts } = readAll(
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } }] }),
      delta({ tool_calls: [{ index: 1, id: 'b', function: { name: 'g', arguments: 'broken' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
    );
    expect(parts).toMatchObject([
      { type: 'tool', toolCallId: 'a', toolName: 'f', input: { x: 1 } },
      { type: 'tool', toolCallId: 'b', toolName: 'g', input: 'broken' },
    ]);
  });

  it('takes images inside the answer only', () => {
    const { parts } = readAll(
      delta({
        images: [
          { image_url: { url: 'data:image/png;base64,AA==' } },
          { image_url: { url: 'https://elsewhere.example/x.png' } },
        ],
      }),
    );
    expect(parts).toEqual([{ type: 'file', url: 'data:image/png;base64,AA==', mediaType: 'image/png' }]);
  });

  it.each([
    ['{"error":{"message":"gone","code":"late"}}', { message: 'gone', code: 'late' }],
    ['{"error":"gone"}', { message: 'gone', code: '' }],
    ['no JSON', { message: 'no JSON', code: '' }],
  ])('reports %s as a failure with the event itself', (event, failure) => {
    const { reader } = readAll(delta({ content: 'half' }), event);
    expect(reader.failure).toEqual({ status: 200, data: event, ...failure });
  });

  it('notes why an answer ended early', () => {
    expect(readAll(delta({}, 'length')).reader.ending).toBe('length');
    expect(readAll(delta({}, 'content_filter')).reader.ending).toBe('filtered');
    expect(readAll(delta({}, 'stop')).reader.ending).toBeUndefined();
  });
});
