import { describe, expect, it } from '@jest/globals';
import { aTarget, parsedBy, someEdits } from '../../../../test/support/relay-calls.js';
import { openaiEmbeddings } from './index.js';
import { EmbeddingMeter } from './index.js';

const EDITS = someEdits({ upstreamModel: 'mapped' });
const parse = (body: unknown, pathModel?: string) =>
  openaiEmbeddings.parseCall(Buffer.from(JSON.stringify(body)), aTarget({ pathModel }));

function parsed(body: unknown, pathModel?: string) {
  const result = parse(body, pathModel);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const meterOf = (text: string) => {
  const meter = new EmbeddingMeter();
  return { verdict: meter.readWhole(Buffer.from(text)), usage: meter.usage, isInvalid: meter.usageIsInvalid };
};

const ASKED = parsedBy(openaiEmbeddings, { model: 'm', input: 'x' });

describe('embedding requests', () => {
  it.each([
    [{ model: 'm' }, 'input'],
    [{ model: 'm', input: null }, 'input'],
    [{ model: 'm', input: 5 }, 'input'],
    [{ model: 'm', input: '' }, 'input'],
    [{ model: 'm', input: [] }, 'input'],
    [{ input: 'x' }, 'model'],
    [{ model: 'm', input: 'x', dimensions: -1 }, 'dimensions'],
    [{ model: 'm', input: 'x', dimensions: '64' }, 'dimensions'],
  ])('refuses %j, naming the field', (body, param) => {
    expect(parse(body)).toMatchObject({ ok: false, error: { kind: 'invalid-request', param } });
  });

  it('takes the model from the address, and refuses a body that names another [RLY-03]', () => {
    expect(parsed({ input: 'x' }, 'from-path').shape.model).toBe('from-path');
    expect(parsed({ model: 'from-path', input: 'x' }, 'from-path').shape.model).toBe('from-path');
    expect(parse({ model: 'dear', input: 'x' }, 'from-path')).toMatchObject({
      ok: false,
      error: { param: 'model' },
    });
    const sent = openaiEmbeddings.spliceRequest(parsed({ input: 'x' }, 'from-path'), EDITS).toString();
    expect(JSON.parse(sent)).toEqual({ input: 'x', model: 'mapped' });
  });

  it('counts what else a vendor may read as the prompt', () => {
    const text = 'word '.repeat(1_000);
    const tokensOf = (more: object) => parsed({ model: 'm', input: 'x', ...more }).shape.promptTokens;
    expect(tokensOf({})).toBe(1);
    expect(tokensOf({ encoding_format: 'float', user: 'u'.repeat(500), truncate: 'END' })).toBe(1);
    for (const more of [
      { messages: [{ role: 'user', content: text }] },
      { prompt: text },
      { inputs: [text] },
      { chat_template_kwargs: { instruction: text } },
    ])
      expect(tokensOf(more)).toBeGreaterThan(900);
  });

  it('takes out on both paths what steers a gateway behind the upstream or makes the call dearer [RLY-04]', () => {
    const call = parsed({
      model: 'm',
      input: 'x',
      api_base: 'http://elsewhere.example',
      service_tier: 'flex',
    });
    const spliced = openaiEmbeddings.spliceRequest(call, EDITS).toString();
    expect(JSON.parse(spliced)).toEqual({ model: 'mapped', input: 'x' });
    const neutral = call.neutral();
    if (!neutral.ok) throw new Error(neutral.error.message);
    const written = openaiEmbeddings.writeRequest(neutral.value, EDITS).body.toString();
    expect(JSON.parse(written)).toEqual({ model: 'mapped', input: 'x' });
  });

  it.each([
    ['one text', 'hello', 'hello'],
    ['texts', ['a', 'b'], ['a', 'b']],
    ['one list of tokens', [1, 2, 3], [1, 2, 3]],
    ['lists of tokens', [[1], [2, 3]], [[1], [2, 3]]],
  ])('says on the translated path what the caller said: %s', (_name, input, expected) => {
    const call = parsed({
      model: 'm',
      input,
      dimensions: 64,
      encoding_format: 'base64',
      user: 'u',
      task: 'x',
    });
    const neutral = call.neutral();
    if (!neutral.ok) throw new Error(neutral.error.message);
    const { body, warnings } = openaiEmbeddings.writeRequest(neutral.value, EDITS);
    expect(JSON.parse(body.toString())).toEqual({
      model: 'mapped',
      input: expected,
      dimensions: 64,
      encoding_format: 'base64',
      user: 'u',
      task: 'x',
    });
    expect(warnings).toEqual([]);
  });

  it('counts token numbers one by one', () => {
    expect(parsed({ model: 'm', input: [[1, 2], [3]] }).shape.promptTokens).toBe(3);
  });
});

describe('embedding replies', () => {
  const vectors = Array.from({ length: 200 }, (_, index) => ({
    object: 'embedding',
    index,
    embedding: Array.from({ length: 40 }, (__, axis) => axis / 7 - index),
  }));

  it('meters large ones from the tail, with the same result', () => {
    const small = { object: 'list', data: vectors.slice(0, 1), usage: { prompt_tokens: 9, total_tokens: 9 } };
    const large = {
      object: 'list',
      data: vectors,
      model: 'm',
      usage: { prompt_tokens: 9, total_tokens: 9 },
      id: 'x',
    };
    const expected = {
      verdict: 'answer',
      usage: { input: { total: 9 }, output: { total: 0 } },
      isInvalid: false,
    };
    expect(meterOf(JSON.stringify(small))).toEqual(expected);
    expect(JSON.stringify(large).length).toBeGreaterThan(100_000);
    expect(meterOf(JSON.stringify(large))).toEqual(expected);
    expect(meterOf(JSON.stringify(large, null, 2))).toEqual(expected);
  });

  it('reads them whole when the usage stands in front or is missing', () => {
    const front = JSON.stringify({ usage: { prompt_tokens: 4 }, data: vectors });
    expect(meterOf(front)).toMatchObject({ verdict: 'answer', usage: { input: { total: 4 } } });
    expect(meterOf(JSON.stringify({ data: vectors }))).toMatchObject({ verdict: 'answer', usage: undefined });
  });

  it('takes one cut short never for an answer, however large', () => {
    const whole = JSON.stringify({ data: vectors, usage: { prompt_tokens: 9, total_tokens: 9 } });
    for (let cut = whole.length - 60; cut < whole.length; cut += 1) {
      expect(meterOf(whole.slice(0, cut)).verdict).toBe('malformed');
    }
  });

  it.each([
    ['{"error":{"message":"x"}}', 'error'],
    ['{"error":"x"}', 'error'],
    ['{"error":null,"data":[{"embedding":[1]}]}', 'answer'],
    ['{"data":[]}', 'empty'],
    ['{}', 'empty'],
    ['<html>', 'malformed'],
  ])('%s is %s', (text, expected) => {
    expect(meterOf(text).verdict).toBe(expected);
  });

  it('call a usage that cannot be true invalid [UP-01]', () => {
    expect(meterOf('{"data":[{"embedding":[1]}],"usage":{"prompt_tokens":-4}}')).toMatchObject({
      usage: undefined,
      isInvalid: true,
    });
  });

  it.each([
    ['[0.5]', 'float', true],
    ['[0.5]', undefined, true],
    ['[0.5]', 'base64', false],
    ['"AACAPw=="', 'base64', true],
    ['"AACAPw=="', 'float', false],
    ['"AACAPw=="', undefined, false],
  ])('compares the vector %s with the requested encoding %s: %s', (vector, encoding, expected) => {
    const asked = parsed({ model: 'm', input: 'x', encoding_format: encoding });
    const body = Buffer.from(`{"data":[{"index":0,"embedding":${vector}}]}`);
    expect(openaiEmbeddings.hasRequestedForm?.(body, asked)).toBe(expected);
  });

  it('carries them through the neutral model, vectors in the order of the inputs, as numbers', () => {
    const asked = parsedBy(openaiEmbeddings, { model: 'm', input: ['x', 'y'] });
    const read = openaiEmbeddings.readReply(
      Buffer.from(
        '{"data":[{"index":1,"embedding":"AACAPw=="},{"index":0,"embedding":[0.5]}],"model":"v","usage":{"total_tokens":3},"extra":1}',
      ),
      asked,
    );
    if (!read.ok) throw new Error(read.error.message);
    const context = { callId: 'c', createdAtSeconds: 1, model: 'm', wantsStreamUsage: false };
    expect(JSON.parse(openaiEmbeddings.writeReply(read.value, context, asked).toString())).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.5] },
        { object: 'embedding', index: 1, embedding: [1] },
      ],
      model: 'v',
      usage: { prompt_tokens: 3, total_tokens: 3 },
      extra: 1,
    });
  });

  it.each(['{}', '{"data":[{}]}', '{"data":[{"embedding":5}]}', 'x'])('%s is malformed', (text) => {
    expect(openaiEmbeddings.readReply(Buffer.from(text), ASKED)).toMatchObject({
      ok: false,
      error: { kind: 'upstream-malformed' },
    });
  });
});
