import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore, chatCore, CHAT_APIS, eventsIn } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import type { MemoryExchange } from '../../../../test/support/memory-sides.js';
import { oneSecondForm } from '../../../../test/support/sound-form.js';
import { openai } from '../../dialects/openai.js';

/** Answers have the requested form, whatever form, type or page the upstream, or a proxy on the way, answers with. */
type Script = (exchange: MemoryExchange) => void;
const PAGE = '<!DOCTYPE html><html><title>Just a moment</title></html>';
const ADDRESS = 'https://cdn.example/a.png';
const typed =
  (type: string | undefined, body: string): Script =>
  (upstream) =>
    void upstream
      .head(200, type === undefined ? {} : { 'content-type': type })
      .bytes(body)
      .end();
const json = (document: unknown): Script => typed('application/json', JSON.stringify(document));

async function transcribe(format: string, script: Script, more: Readonly<Record<string, string>> = {}) {
  const ports = new MemoryPorts();
  const { body, headers } = oneSecondForm('gpt-test', { response_format: format, ...more });
  const path = '/v1/audio/transcriptions';
  const reply = await callCore(ports, {
    dialect: openai,
    path,
    operation: 'transcribe',
    body,
    headers,
    route: { channelType: 1 },
    script,
  });
  return { ports, reply };
}

async function ask(
  path: string,
  operation: 'speak' | 'embed' | 'image' | 'rerank',
  body: object,
  script: Script,
) {
  const ports = new MemoryPorts();
  ports.media.files.set(ADDRESS, { base64: 'QUJD', mediaType: 'image/png' });
  const whole = { model: 'gpt-test', ...body };
  const reply = await callCore(ports, {
    dialect: openai,
    path,
    operation,
    body: whole,
    route: { channelType: 1 },
    script,
  });
  return { ports, reply };
}

describe('a transcript', () => {
  const verbose = { text: 'Hi you', duration: 2.5, segments: [{ start: 0, end: 2.5, text: 'Hi you' }] };

  it.each([
    ['text', 'Hi you\n'],
    ['srt', '1\n00:00:00,000 --> 00:00:02,500\nHi you\n'],
    ['vtt', 'WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nHi you\n'],
  ])('becomes %s when the vendor answers in JSON', async (format, text) => {
    expect((await transcribe(format, json(verbose))).reply.text).toBe(text);
  });

  it.each(['text', 'srt', 'vtt', 'json', 'verbose_json'])(
    'costs nothing and fails when a proxy answers with a page (%s)',
    async (format) => {
      const { ports, reply } = await transcribe(format, typed('text/html', PAGE));
      expect(reply.status).toBe(502);
      expect(ports.quota.settled).toEqual([]);
    },
  );

  it('passes untouched when the vendor answers as asked', async () => {
    const { reply } = await transcribe('text', typed('text/plain', '{ is how he began'));
    expect(reply.text).toBe('{ is how he began');
  });
});

describe('speech', () => {
  const speak = (script: Script, more: object = {}) =>
    ask('/v1/audio/speech', 'speak', { input: 'Hi', voice: 'a', ...more }, script);

  it.each([
    ['a page', 'text/html', PAGE],
    ['a page without a type', undefined, PAGE],
    ['a page under the type of sound', 'audio/mpeg', PAGE],
    ['an error under the type of sound', 'audio/mpeg', '{"error":{"message":"no such voice"}}'],
  ])('costs nothing and fails when %s comes', async (_what, type, body) => {
    const { ports, reply } = await speak(typed(type, body));
    expect(reply.status).toBe(502);
    expect(ports.quota.settled).toEqual([]);
  });

  it.each([undefined, 'application/octet-stream'])(
    'has the type of what was asked when the vendor says %s',
    async (type) => {
      const { reply } = await speak(typed(type, 'ID3..'), { response_format: 'flac' });
      expect(reply.headers['content-type']).toBe('audio/flac');
      expect((await speak(typed('audio/wav', 'RIFF..'))).reply.headers['content-type']).toBe('audio/wav');
      expect((await speak(typed('image/svg+xml', 'ID3..'))).reply.headers['content-type']).toBe(
        'application/octet-stream',
      );
    },
  );

  it('becomes events when those were asked for and the vendor answers sound', async () => {
    const { reply } = await speak(typed('audio/mpeg', 'ID3..'), { stream_format: 'sse' });
    expect(eventsIn(reply.text)).toMatchObject([
      { type: 'speech.audio.delta', audio: Buffer.from('ID3..').toString('base64') },
      { type: 'speech.audio.done' },
    ]);
  });
});

describe('vectors', () => {
  const packed = Buffer.from(new Float32Array([1, 2]).buffer).toString('base64');
  const list = (...vectors: unknown[]) =>
    json({
      object: 'list',
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      model: 'm',
      usage: { prompt_tokens: 2, total_tokens: 2 },
    });
  const embed = (script: Script, more: object = {}) =>
    ask('/v1/embeddings', 'embed', { input: 'x', ...more }, script);
  const first = ({ reply }: Awaited<ReturnType<typeof embed>>) =>
    (JSON.parse(reply.text) as { data: { embedding: unknown }[] }).data[0]?.embedding;

  it('reach the caller as numbers or base64 as was asked, whichever the vendor gives', async () => {
    for (const given of [[1, 2], packed]) {
      expect(first(await embed(list(given)))).toEqual([1, 2]);
      expect(first(await embed(list(given), { encoding_format: 'float' }))).toEqual([1, 2]);
      expect(first(await embed(list(given), { encoding_format: 'base64' }))).toBe(packed);
    }
  });

  it('stay as they are where a vendor was asked for a form of its own', async () => {
    expect(first(await embed(list('AQI='), { output_dtype: 'uint8' }))).toBe('AQI=');
    expect(first(await embed(list('AQI='), { encoding_format: 'bytes' }))).toBe('AQI=');
  });
});

describe('rankings', () => {
  const rank = async (results: readonly object[], more: object = {}) => {
    const asked = { query: 'q', documents: ['sun', 'rain'], ...more };
    const { reply } = await ask('/v1/rerank', 'rerank', asked, json({ results, usage: { total_tokens: 3 } }));
    return (JSON.parse(reply.text) as { results: unknown }).results;
  };
  const scored = [{ index: 1, relevance_score: 0.9 }];

  it('bring the documents that were asked for, though the vendor left them out', async () => {
    const whole = [{ index: 1, relevance_score: 0.9, document: { text: 'rain' } }];
    expect(await rank(scored, { return_documents: true })).toEqual(whole);
    expect(await rank(whole, { return_documents: true })).toEqual(whole);
    expect(await rank(scored)).toEqual(scored);
  });

  it('name the score as the API does', async () => {
    expect(await rank([{ index: 1, score: 0.9 }])).toEqual(scored);
  });
});

describe('pictures', () => {
  const draw = (row: object, more: object = {}) =>
    ask('/v1/images/generations', 'image', { prompt: 'x', ...more }, json({ created: 1, data: [row] }));

  it('become base64 where the vendor writes a data URL in its place', async () => {
    const { reply } = await draw({ b64_json: 'data:image/png;base64,QUJD' });
    expect(JSON.parse(reply.text)).toMatchObject({ data: [{ b64_json: 'QUJD' }] });
  });

  it('become bytes when bytes were asked for and the vendor gives an address', async () => {
    const asked = await draw({ url: ADDRESS }, { response_format: 'b64_json' });
    expect(JSON.parse(asked.reply.text)).toMatchObject({ data: [{ b64_json: 'QUJD' }] });
    const kept = await draw({ url: ADDRESS }, { response_format: 'url' });
    expect(JSON.parse(kept.reply.text)).toMatchObject({ data: [{ url: ADDRESS }] });
  });
});

describe('events under the type of JSON, and JSON under the type of events', () => {
  const chunk = JSON.stringify({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { content: 'Hi there' }, finish_reason: 'stop' }],
  });
  const completion = {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi there' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  };
  const apis = CHAT_APIS.map(({ name }) => name);

  it.each(apis)('reach the caller as the answer they are (%s)', async (name) => {
    for (const asked of [true, false]) {
      for (const script of [
        typed('application/json', `data: ${chunk}\n\ndata: [DONE]\n\n`),
        typed('text/event-stream', JSON.stringify(completion)),
      ]) {
        const reply = await chatCore(new MemoryPorts(), apiNamed(name), asked, 'chat', script);
        expect([reply.status, reply.text.includes('Hi there')]).toEqual([200, true]);
      }
    }
  });

  it.each(apis)('report an error or a page (%s)', async (name) => {
    const failed = await chatCore(
      new MemoryPorts(),
      apiNamed(name),
      true,
      'chat',
      typed('text/event-stream', '{"error":{"message":"the model is not loaded","code":500}}\n'),
    );
    expect([failed.status, failed.text.includes('the model is not loaded')]).toEqual([500, true]);
    const page = await chatCore(new MemoryPorts(), apiNamed(name), true, 'chat', typed('text/html', PAGE));
    expect([page.status, page.text.includes('Just a moment')]).toEqual([502, false]);
  });
});
