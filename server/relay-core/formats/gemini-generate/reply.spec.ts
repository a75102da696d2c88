import { carryProof } from '../shared/fields/carried-proof.js';
import { describe, expect, it } from '@jest/globals';
import { SseParser } from '../../framing/sse.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { ReplyContext } from '../contract/api-format.js';
import { GenerateMeter } from './meter.js';
import { readGenerateReply } from './read-reply.js';
import { GenerateReplyReader } from './reply-reader.js';
import { GenerateReplyWriter } from './reply-writer.js';
import { writeGenerateReply } from './write-reply.js';

const context: ReplyContext = {
  callId: 'call-1',
  createdAtSeconds: 1_800_000_000,
  model: 'gemini-asked',
  wantsStreamUsage: true,
};
const candidate = (parts: readonly unknown[], more: object = {}): object => ({
  content: { role: 'model', parts },
  index: 0,
  ...more,
});
const frame = (candidates: readonly unknown[], usageMetadata?: unknown): object => ({
  candidates,
  ...(usageMetadata === undefined ? {} : { usageMetadata }),
  modelVersion: 'gemini-served',
  responseId: 'resp-1',
  createTime: '2026-11-21T10:00:00.5Z',
});

/** Thoughts, words over several frames, a whole call, a call in pieces, sources and figures that grow. */
const FRAMES = [
  frame([candidate([{ text: 'Hm', thought: true }])], { trafficType: 'ON_DEMAND' }),
  frame([candidate([{ text: 'm.', thought: true, thoughtSignature: 'dGg=' }])], { promptTokenCount: 9 }),
  frame([candidate([{ text: 'Grü' }, { text: 'ezi "du"' }])]),
  frame([candidate([{ functionCall: { name: 'look', args: { at: 'ß' } }, thoughtSignature: 'c2ln' }])]),
  frame([candidate([{ functionCall: { name: 'cook', willContinue: true } }])]),
  frame([
    candidate([
      {
        functionCall: {
          partialArgs: [
            { jsonPath: '$.list[0].name', stringValue: 'so', willContinue: true },
            { jsonPath: '$.list[0].name', stringValue: 'up' },
          ],
          willContinue: true,
        },
      },
    ]),
  ]),
  frame([candidate([{ functionCall: { partialArgs: [{ jsonPath: '$.hot', boolValue: true }] } }])]),
  frame(
    [
      candidate([{ text: '' }], {
        finishReason: 'STOP',
        groundingMetadata: { groundingChunks: [{ web: { uri: 'https://example.org', title: 'E' } }] },
      }),
    ],
    { promptTokenCount: 9, candidatesTokenCount: 7, thoughtsTokenCount: 5, totalTokenCount: 21 },
  ),
];
const STREAM = Buffer.from(FRAMES.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join(''));
const USAGE = { input: { total: 9 }, output: { total: 12, reasoning: 5 } };

function readStream(...chunks: readonly Buffer[]): {
  readonly events: readonly StreamEvent[];
  readonly meter: GenerateMeter;
} {
  const reader = new GenerateReplyReader();
  const meter = new GenerateMeter();
  const events: StreamEvent[] = [];
  const parser = new SseParser({
    onEvent: (_bytes, _rawStart, _rawEnd, data, start, end) => {
      meter.readEvent(data, start, end);
      events.push(...reader.read(data.toString('utf8', start, end)));
      return true;
    },
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.finish();
  events.push(...reader.finish());
  return { events, meter };
}

const SIGNED_THOUGHT = { by: 'google', data: 'dGg=' };

describe('reading a stream', () => {
  const { events, meter } = readStream(STREAM);

  it('meters the last report that says something, looked at in between or not', () => {
    const said = { promptTokenCount: 9, candidatesTokenCount: 4 };
    const reports = [
      { promptTokenCount: 9 },
      said,
      { promptTokenCount: 0, candidatesTokenCount: 0 },
      { trafficType: 'ON_DEMAND' },
    ];
    for (const looks of [true, false]) {
      const meter = new GenerateMeter();
      const reader = new GenerateReplyReader();
      const told = [];
      for (const report of reports) {
        const data = Buffer.from(JSON.stringify(frame([candidate([{ text: 'x' }])], report)));
        meter.readEvent(data, 0, data.length);
        if (looks) expect(meter.usage?.input.total).toBe(9);
        told.push(...reader.read(data.toString('utf8')));
      }
      told.push(...reader.finish());
      const usage = { input: { total: 9 }, output: { total: 4 } };
      expect(meter.usage).toEqual(usage);
      expect(meter.usageIsInvalid).toBe(false);
      expect(told.filter(({ type }) => type === 'usage')).toEqual([{ type: 'usage', usage }]);
      const lie = Buffer.from(JSON.stringify(frame([candidate([{ text: 'x' }])], { promptTokenCount: 1.5 })));
      meter.readEvent(lie, 0, lie.length);
      expect(meter.usageIsInvalid).toBe(true);
    }
  });

  it('gives thoughts, words, calls, sources and figures in order', () => {
    expect(events).toEqual([
      { type: 'reply-start', id: 'resp-1', servedModel: 'gemini-served', createdAtSeconds: 1_795_255_200 },
      { type: 'reasoning-delta', block: 0, choice: 0, text: 'Hm' },
      { type: 'reasoning-delta', block: 0, choice: 0, text: 'm.' },
      { type: 'block-proof', block: 0, choice: 0, proof: SIGNED_THOUGHT, of: 'reasoning' },
      { type: 'block-end', block: 0, choice: 0 },
      { type: 'text-delta', block: 1, choice: 0, text: 'Grü' },
      { type: 'text-delta', block: 1, choice: 0, text: 'ezi "du"' },
      { type: 'block-end', block: 1, choice: 0 },
      { type: 'tool-input-start', block: 2, choice: 0, callId: 'call_gm_resp-1_1', name: 'look' },
      { type: 'block-proof', block: 2, choice: 0, proof: { by: 'google', data: 'c2ln' }, of: 'tool-call' },
      { type: 'tool-input-delta', block: 2, choice: 0, json: '{"at":"ß"}' },
      { type: 'block-end', block: 2, choice: 0 },
      { type: 'tool-input-start', block: 3, choice: 0, callId: 'call_gm_resp-1_2', name: 'cook' },
      { type: 'tool-input-delta', block: 3, choice: 0, json: '{"list":[{"name":"soup"}],"hot":true}' },
      { type: 'block-end', block: 3, choice: 0 },
      { type: 'source', block: 1, choice: 0, source: { url: 'https://example.org', title: 'E' } },
      { type: 'choice-end', choice: 0, finish: { unified: 'tool-calls', raw: 'STOP' } },
      { type: 'usage', usage: USAGE },
      { type: 'reply-end', finish: { unified: 'tool-calls', raw: 'STOP' } },
    ]);
  });

  it('meters what it reads: figures, the ending, and every word and argument', () => {
    expect(meter.usage).toEqual(USAGE);
    expect(meter.hasFinish).toBe(true);
    const text = meter.produced.keptText();
    for (const piece of ['Hmm.', 'Grüezi "du"', 'look', 'ß', 'cook', 'so', 'up'])
      expect(text).toContain(piece);
  });

  it('gives the same wherever the bytes are cut (UP-05)', () => {
    for (let at = 1; at < STREAM.length; at += 1) {
      const cut = readStream(STREAM.subarray(0, at), STREAM.subarray(at));
      expect(cut.events).toEqual(events);
      expect(cut.meter.usage).toEqual(USAGE);
    }
  });

  it('reads several answers side by side', () => {
    const reader = new GenerateReplyReader();
    const read = reader.read(
      JSON.stringify(
        frame([
          candidate([{ text: 'a' }]),
          { content: { parts: [{ text: 'b' }] }, index: 1, finishReason: 'STOP' },
        ]),
      ),
    );
    expect(read).toContainEqual({ type: 'text-delta', block: 0, choice: 0, text: 'a' });
    expect(read).toContainEqual({ type: 'text-delta', block: 1, choice: 1, text: 'b' });
    expect(read).toContainEqual({ type: 'choice-end', choice: 1, finish: { unified: 'stop', raw: 'STOP' } });
  });

  it('gives pictures whole, code as text, and parts it does not know as they are', () => {
    const reader = new GenerateReplyReader();
    const unknown = { toolCall: { toolType: 'GOOGLE_MAPS' } };
    const read = reader.read(
      JSON.stringify(
        frame([
          candidate([
            { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
            { executableCode: { language: 'PYTHON', code: 'print(1)' } },
            unknown,
          ]),
        ]),
      ),
    );
    expect(read).toContainEqual({
      type: 'media',
      block: 0,
      choice: 0,
      media: 'image',
      source: { kind: 'base64', base64: 'aGk=', mediaType: 'image/png' },
    });
    expect(read).toContainEqual(
      expect.objectContaining({ type: 'text-delta', text: '\n```python\nprint(1)\n```\n' }),
    );
    expect(read).toContainEqual(expect.objectContaining({ type: 'vendor-part', value: unknown }));
  });
});

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
    ['more cached than read', { promptTokenCount: 1, candidatesTokenCount: 1, cachedContentTokenCount: 9 }],
    [
      'more pictures than read',
      {
        promptTokenCount: 1,
        candidatesTokenCount: 1,
        promptTokensDetails: [{ modality: 'IMAGE', tokenCount: 2 }],
      },
    ],
  ])('UP-01 takes no %s figures', (_name, usageMetadata) => {
    const meter = whole(frame([candidate([{ text: 'x' }], { finishReason: 'STOP' })], usageMetadata));
    expect(meter.verdict).toBe('answer');
    expect(meter.usage).toBeUndefined();
    expect(meter.usageIsInvalid).toBe(true);
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

  it('takes the rest of the total as answer where candidates are not told', () => {
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

describe('whole replies', () => {
  it('come back as they were on the same wire, unknown members included', () => {
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

  it('carries proofs of other families under their name, as bytes', () => {
    const frames = write(
      [
        { type: 'reply-start', id: 'r', servedModel: '' },
        { type: 'reasoning-delta', block: 0, text: 'x', proofBy: 'anthropic' },
        { type: 'block-proof', block: 0, proof: { by: 'anthropic', data: 'sig' }, of: 'reasoning' },
        { type: 'block-end', block: 0 },
      ],
      'sse',
    );
    const signature = carryProof({ by: 'anthropic', data: 'sig' }, 'google', { words: 'x' });
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
