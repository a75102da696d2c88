import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../model/stream-event.js';
import { documentOf, type Document } from '../shared/fields/json-fields.js';
import { MAX_REPEATED_CHARACTERS, ResponsesReplyWriter } from './reply-writer.js';
import {
  CONTEXT,
  parsed,
  neutralOf,
  USAGE,
  STREAM,
  readAll,
} from '../../../../test/support/fixtures/openai-responses.fixture.js';

const writeAll = (events: readonly StreamEvent[], body: object = {}): readonly Document[] => {
  const writer = new ResponsesReplyWriter(CONTEXT, parsed({ input: 'x', stream: true, ...body }));
  const frames = events.map((event) => writer.write(event)).join('') + writer.end();
  return framesOf(frames);
};
const framesOf = (frames: string): readonly Document[] =>
  frames
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [name, data] = block.split('\n');
      const document = JSON.parse((data ?? '').slice(6)) as Document;
      expect(name).toBe(`event: ${String(document['type'])}`);
      return document;
    });
const outputOf = (frames: readonly Document[]): readonly Document[] =>
  (documentOf(frames.at(-1)?.['response'])['output'] ?? []) as readonly Document[];

describe('streams that are written', () => {
  it('writes the events, numbers and repetitions clients count on', () => {
    const frames = writeAll(readAll(STREAM));
    expect(frames.map((event) => event['sequence_number'])).toEqual(frames.map((_, index) => index));
    expect(frames.map((event) => String(event['type']).replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.annotation.added',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
    expect(outputOf(frames)).toMatchObject([
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'enc', summary: [{ text: 'Why\n\nHow' }] },
      { type: 'web_search_call', id: 'ws_1' },
      {
        type: 'message',
        status: 'completed',
        content: [{ text: 'Grüß dich 🙂', annotations: [{ url: 'https://a.example' }] }],
      },
      { type: 'function_call', call_id: 'c1', arguments: '{}' },
      { type: 'function_call', call_id: 'c2', arguments: '{"b":2}' },
    ]);
    expect(documentOf(frames.at(-1)?.['response'])).toMatchObject({
      id: 'resp_7',
      status: 'completed',
      usage: USAGE,
    });
  });

  it('writes what it reads as the same answer', () => {
    const once = writeAll(readAll(STREAM)).map((event) => JSON.stringify(event));
    expect(writeAll(readAll(once)).map((event) => JSON.stringify(event))).toEqual(once);
  });

  it('gives back what was asked, and not what was not done', () => {
    const [first] = writeAll([], {
      instructions: 'I',
      temperature: 0.2,
      tools: [{ type: 'function', name: 'f' }],
      text: { verbosity: 'low' },
      store: true,
    });
    expect(first?.['response']).toMatchObject({
      instructions: 'I',
      temperature: 0.2,
      tools: [{ name: 'f' }],
      text: { format: { type: 'text' }, verbosity: 'low' },
      store: false,
      previous_response_id: null,
    });
  });

  it('opens plain text that came inside JSON for the tools that take it', () => {
    const frames = writeAll(
      [
        { type: 'tool-input-start', block: 0, callId: 'c', name: 'sql' },
        { type: 'tool-input-delta', block: 0, json: '{"input":"sele' },
        { type: 'tool-input-delta', block: 0, json: 'ct 1"}' },
        { type: 'block-end', block: 0 },
      ],
      { tools: [{ type: 'custom', name: 'sql' }] },
    );
    expect(outputOf(frames)).toMatchObject([{ type: 'custom_tool_call', name: 'sql', input: 'select 1' }]);
    const deltas = frames.filter(({ type }) => type === 'response.custom_tool_call_input.delta');
    expect(deltas).toMatchObject([{ delta: 'select 1' }]);
  });

  it('carries the signature of a call beside it, named after the call', () => {
    const frames = writeAll([
      { type: 'tool-input-start', block: 0, callId: 'c:1', name: 'f' },
      { type: 'tool-input-delta', block: 0, json: '{}' },
      { type: 'block-signature', block: 0, of: 'tool-call', signature: { by: 'google', data: 'thought' } },
      { type: 'block-end', block: 0 },
    ]);
    const request = neutralOf({ input: outputOf(frames) });
    expect(request.messages[0]?.content).toMatchObject([
      { type: 'tool-call', callId: 'c:1', signature: { by: 'google', data: 'thought' } },
    ]);
  });

  it('reports a failure twice, as the vendor does', () => {
    const writer = new ResponsesReplyWriter(CONTEXT, parsed({ input: 'x' }));
    writer.write({ type: 'text-delta', block: 0, text: 'So' });
    const frames = framesOf(
      writer.fail({ kind: 'upstream-broken', blame: 'upstream', message: 'The upstream broke off.' }),
    );
    expect(frames).toMatchObject([
      { type: 'error', code: 'server_error', error: { message: expect.stringContaining('01a1-0002') } },
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error' } } },
    ]);
  });

  it('keeps a bounded part of an endless answer [RLY-08]', () => {
    const writer = new ResponsesReplyWriter(CONTEXT, parsed({ input: 'x' }));
    const text = 'x'.repeat(64 * 1024);
    for (let round = 0; round * text.length <= MAX_REPEATED_CHARACTERS; round += 1)
      writer.write({ type: 'text-delta', block: 0, text });
    const frames = framesOf(writer.end());
    const done = frames.find(({ type }) => type === 'response.output_text.done');
    expect(String(done?.['text']).length).toBeLessThanOrEqual(MAX_REPEATED_CHARACTERS);
    expect(documentOf(frames.at(-1)?.['response'])['output']).toBeNull();
  });
});
