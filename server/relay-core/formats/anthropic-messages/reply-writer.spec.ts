import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../model/stream-event.js';
import { MessagesReplyWriter } from './reply-writer.js';
import {
  CONTEXT,
  type Frame,
  framesOf,
} from '../../../../test/support/fixtures/anthropic-messages.fixture.js';

describe('events of other formats', () => {
  const write = (events: readonly StreamEvent[]): Frame[] => {
    const writer = new MessagesReplyWriter(CONTEXT);
    return framesOf(events.map((event) => writer.write(event)).join('') + writer.end());
  };
  const start: StreamEvent = { type: 'reply-start', id: 'chatcmpl-1', servedModel: 'gpt' };
  const call = (number: number, name: string): StreamEvent => ({
    type: 'tool-input-start',
    block: number,
    callId: `c${number}`,
    name,
  });
  const input = (number: number, json: string): StreamEvent => ({
    type: 'tool-input-delta',
    block: number,
    json,
  });

  it('begins with the estimate of the prompt and ends with the figures of the vendor', () => {
    const frames = write([
      start,
      { type: 'text-delta', block: 0, text: 'Hi' },
      { type: 'choice-end', choice: 0, finish: { unified: 'length', raw: 'length' } },
      { type: 'usage', usage: { input: { total: 10, cacheRead: 4 }, output: { total: 3, reasoning: 2 } } },
    ]);
    expect(frames.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(frames[0]).toMatchObject({
      message: { id: 'chatcmpl-1', model: 'gpt', content: [], usage: { input_tokens: 12, output_tokens: 0 } },
    });
    expect(frames[4]).toMatchObject({
      delta: { stop_reason: 'max_tokens', stop_sequence: null },
      usage: {
        input_tokens: 6,
        cache_read_input_tokens: 4,
        output_tokens: 3,
        output_tokens_details: { thinking_tokens: 2 },
      },
    });
  });

  it('opens one block at a time, also when parallel calls come interleaved', () => {
    const frames = write([
      start,
      call(0, 'f'),
      input(0, '{"a":"{'),
      call(1, 'g'),
      input(1, '{"b"'),
      input(0, '"}'),
      input(1, ':1}'),
      { type: 'text-delta', block: 2, text: 'done' },
      { type: 'choice-end', choice: 0, finish: { unified: 'stop', raw: 'stop' } },
    ]);
    let open = -1;
    const blocks: string[] = [];
    for (const frame of frames) {
      if (frame.type === 'content_block_start') {
        expect(open).toBe(-1);
        open = frame['index'] as number;
        blocks[open] = '';
      } else if (frame.type === 'content_block_delta') {
        expect(frame['index']).toBe(open);
        const change = frame['delta'] as { partial_json?: string; text?: string };
        blocks[open] += change.partial_json ?? change.text ?? '';
      } else if (frame.type === 'content_block_stop') open = -1;
    }
    expect(blocks).toEqual(['{"a":"{"}', '{"b":1}', 'done']);
    // It said "stop", and yet it asks for tools.
    expect(frames.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  });

  it('gives calls without arguments or ids what they need', () => {
    const frames = write([
      start,
      { type: 'tool-input-start', block: 0, callId: '', name: 'f' },
      call(1, 'g'),
      { type: 'block-end', block: 0 },
    ]);
    const starts = frames.filter(({ type }) => type === 'content_block_start');
    expect(starts.map((frame) => (frame['content_block'] as { id: string }).id)).toEqual([
      'toolu_id_0',
      'c1',
    ]);
  });

  it('carries signatures of calls beside them, where a client brings them back', () => {
    const signature = { by: 'google', data: 'mark' } as const;
    const frames = write([
      start,
      call(0, 'f'),
      { type: 'block-signature', block: 0, signature, of: 'tool-call' },
      input(0, '{}'),
      { type: 'block-end', block: 0 },
      { type: 'text-delta', block: 1, text: 'a' },
      { type: 'block-signature', block: 1, signature, of: 'text' },
      { type: 'text-delta', block: 2, text: 'b' },
    ]);
    const signatures = frames.flatMap((frame) => {
      const { signature } = (frame['delta'] ?? {}) as { signature?: string };
      return signature === undefined ? [] : [[frame['index'], signature]];
    });
    expect(signatures).toEqual([
      [0, 'next#google#mark'],
      [3, 'previous#google#mark'],
    ]);
  });

  it('ends with the last text, where clients look for the answer, and no signature of it', () => {
    const signature = { by: 'google', data: 'mark' } as const;
    const frames = write([
      start,
      { type: 'text-delta', block: 0, text: 'a' },
      { type: 'block-end', block: 0 },
      { type: 'block-signature', block: 1, signature, of: 'text' },
      { type: 'block-end', block: 1 },
    ]);
    const starts = frames.filter(({ type }) => type === 'content_block_start');
    expect(starts).toMatchObject([{ index: 0, content_block: { type: 'text' } }]);
  });

  it('names sources before the words they stand for, and cites them with those', () => {
    const source = { url: 'https://a.example', title: 'A' };
    const frames = write([
      start,
      { type: 'source', block: 0, source },
      { type: 'block-end', block: 0 },
      { type: 'text-delta', block: 1, text: 'Words' },
      { type: 'source', block: 1, source: { ...source, title: 'B' } },
    ]);
    expect(
      frames.flatMap((frame) => {
        const { citation: cited } = (frame['delta'] ?? {}) as { citation?: { title: string } };
        return cited === undefined ? [] : [[frame['index'], cited.title]];
      }),
    ).toEqual([
      [0, 'A'],
      [0, 'B'],
    ]);
  });

  it('gives the plain text of a tool without JSON as its one argument', () => {
    const frames = write([
      start,
      { type: 'tool-input-start', block: 0, callId: 'c0', name: 'sql', isFreeform: true },
      input(0, 'select "a'),
      // Comes while the text is incomplete, and waits.
      { type: 'text-delta', block: 1, text: 'x' },
      input(0, '"\\n\n'),
      { type: 'block-end', block: 0 },
    ]);
    const kinds = frames
      .filter(({ type }) => type === 'content_block_start')
      .map((frame) => (frame['content_block'] as { type: string }).type);
    expect(kinds).toEqual(['tool_use', 'text']);
    const json = frames
      .flatMap((frame) => (frame['delta'] as { partial_json?: string } | undefined)?.partial_json ?? [])
      .join('');
    expect(JSON.parse(json)).toEqual({ input: 'select "a"\\n\n' });
  });

  it('waits for no end that a vendor forgot: calls without arguments come before what follows them', () => {
    const frames = write([
      start,
      call(0, 'f'),
      call(1, 'g'),
      input(1, '{}'),
      { type: 'text-delta', block: 2, text: 'x' },
    ]);
    const kinds = frames
      .filter(({ type }) => type === 'content_block_start')
      .map((frame) => (frame['content_block'] as { type: string; name?: string }).name ?? 'text');
    expect(kinds).toEqual(['f', 'g', 'text']);
  });

  it('keeps a bounded number of pieces waiting for arguments that never end', () => {
    const writer = new MessagesReplyWriter(CONTEXT);
    let text = writer.write(start) + writer.write(call(0, 'f')) + writer.write(input(0, '{"a":'));
    for (let piece = 0; piece < 10_000; piece += 1) {
      text += writer.write({ type: 'text-delta', block: 1, text: 'x' });
    }
    expect(text.match(/"text":"x"/g)).toHaveLength(10_000);
    expect(framesOf(text + writer.end()).filter(({ type }) => type === 'content_block_start')).toHaveLength(
      2,
    );
  });

  it('writes every piece of a second call that comes between those of the first', () => {
    const pieces = Array.from({ length: 4_200 }, (_piece, at) => (at === 0 ? '{"b":"' : 'x'));
    const writer = new MessagesReplyWriter(CONTEXT);
    let text = writer.write(start);
    for (const event of [call(0, 'f'), call(1, 'g'), input(0, '{"a":'), input(0, '1')])
      text += writer.write(event);
    for (const piece of pieces) text += writer.write(input(1, piece));
    for (const event of [input(0, '}'), input(1, '"}')]) text += writer.write(event);
    text += writer.end();
    const json = framesOf(text)
      .map(({ index, delta }) => [index, (delta as { partial_json?: string } | undefined)?.partial_json])
      .filter(([index, piece]) => index === 1 && piece !== undefined);
    expect(json.map(([, piece]) => piece).join('')).toBe(`{"b":"${'x'.repeat(4_199)}"}`);
    expect(writer.hasLostPiece).toBe(false);
  });

  it('reports a piece of a call that was closed because more came than waits', () => {
    const writer = new MessagesReplyWriter(CONTEXT);
    for (const event of [start, call(0, 'f'), input(0, '{"a":'), call(1, 'g')]) writer.write(event);
    writer.write(input(1, `{"b":"${'x'.repeat(2 * 1024 * 1024)}`));
    expect(writer.hasLostPiece).toBe(false);
    writer.write(input(0, '1}'));
    expect(writer.hasLostPiece).toBe(true);
  });

  it('keeps the signature of redacted thoughts of another family', () => {
    const frames = write([
      start,
      {
        type: 'block-signature',
        block: 0,
        signature: { by: 'openai', id: 'rs_1', data: 'c' },
        of: 'reasoning',
        isRedacted: true,
      },
    ]);
    expect(frames[2]).toMatchObject({
      delta: { type: 'signature_delta', signature: 'openai-redacted#rs_1#c' },
    });
  });

  it('ends a stream that passed untouched without its own end', () => {
    expect(new MessagesReplyWriter(CONTEXT).end()).toBe(
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    );
  });
});
