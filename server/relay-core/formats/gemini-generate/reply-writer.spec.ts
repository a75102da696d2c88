import { writePortableSignature } from '../shared/fields/portable-signature.js';
import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../model/stream-event.js';
import { GenerateReplyWriter } from './reply-writer.js';
import {
  context,
  STREAM,
  USAGE,
  readStream,
} from '../../../../test/support/fixtures/gemini-replies.fixture.js';

describe('writing a stream', () => {
  const write = (events: readonly StreamEvent[], form: 'sse' | 'json-array'): string => {
    const writer = new GenerateReplyWriter(context, form);
    return events.map((event) => writer.write(event)).join('') + writer.end();
  };
  const { events } = readStream(STREAM);
  const documents = write(events, 'sse')
    .trim()
    .split('\n\n')
    .map((line) => JSON.parse(line.replace(/^data: /, '')) as { candidates: object[] });

  it('gives calls whole, and ending and figures last', () => {
    const parts = documents.flatMap(({ candidates }) =>
      candidates.flatMap((one) => (one as { content: { parts: unknown[] } }).content.parts),
    );
    expect(parts).toEqual([
      { text: 'Hm', thought: true },
      { text: 'm.', thought: true },
      { text: '', thought: true, thoughtSignature: 'dGg=' },
      { text: 'Grü' },
      { text: 'ezi "du"' },
      { functionCall: { id: 'call_gm_resp-1_1', name: 'look', args: { at: 'ß' } }, thoughtSignature: 'c2ln' },
      {
        functionCall: { id: 'call_gm_resp-1_2', name: 'cook', args: { list: [{ name: 'soup' }], hot: true } },
      },
      { text: '' },
    ]);
    expect(documents.at(-1)).toMatchObject({
      candidates: [
        {
          finishReason: 'STOP',
          groundingMetadata: { groundingChunks: [{ web: { uri: 'https://example.org', title: 'E' } }] },
        },
      ],
      usageMetadata: {
        promptTokenCount: 9,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 5,
        totalTokenCount: 21,
      },
      responseId: 'resp-1',
    });
  });

  it('writes what it reads back alike', () => {
    const again = readStream(Buffer.from(write(events, 'sse')));
    const kinds = (list: readonly StreamEvent[]): readonly string[] =>
      list.map(({ type }) => type).filter((type) => type !== 'usage');
    expect(kinds(again.events)).toEqual(kinds(events));
    expect(again.meter.usage).toEqual(USAGE);
  });

  it('writes one array where the caller did not ask for events, with a failure as its last element', () => {
    expect(JSON.parse(write(events, 'json-array'))).toHaveLength(documents.length);
    const writer = new GenerateReplyWriter(context, 'json-array');
    const begun = events.slice(0, 3).map((event) => writer.write(event));
    const ended =
      begun.join('') + writer.fail({ kind: 'upstream-broken', blame: 'upstream', message: 'Gone.' });
    expect((JSON.parse(ended) as object[]).at(-1)).toMatchObject({ error: { code: 502 } });
  });

  it('closes the vendor’s own array when the vendor did not', () => {
    expect(new GenerateReplyWriter(context, 'json-array').end()).toBe(']');
  });

  it('carries signatures of other families under their name, as bytes', () => {
    const frames = write(
      [
        { type: 'reply-start', id: 'r', servedModel: '' },
        { type: 'reasoning-delta', block: 0, text: 'x', signatureBy: 'anthropic' },
        { type: 'block-signature', block: 0, signature: { by: 'anthropic', data: 'sig' }, of: 'reasoning' },
        { type: 'block-end', block: 0 },
      ],
      'sse',
    );
    const signature = writePortableSignature({ by: 'anthropic', data: 'sig' }, 'google', { words: 'x' });
    expect(frames).toContain(`"thoughtSignature":"${signature}"`);
  });

  it('names documents without an address as retrieved: a page must have one', () => {
    const source = (more: object): StreamEvent => ({ type: 'source', block: 0, source: more });
    const frames = write(
      [
        { type: 'reply-start', id: 'r', servedModel: '' },
        { type: 'text-delta', block: 0, text: 'x' },
        source({ title: 'sums.csv', quote: '7' }),
        source({ url: 'https://example.org', title: 'E' }),
        { type: 'choice-end', choice: 0, finish: { unified: 'stop', raw: 'stop' } },
      ],
      'sse',
    );
    expect(frames).toContain(
      '"groundingChunks":[{"retrievedContext":{"title":"sums.csv","text":"7"}},{"web":{"uri":"https://example.org","title":"E"}}]',
    );
  });
});
