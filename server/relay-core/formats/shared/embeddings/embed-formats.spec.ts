import { describe, expect, it } from '@jest/globals';
import { bedrockCohereEmbed, novaEmbed, titanEmbed } from '../../../providers/bedrock/embed.js';
import { cohereEmbed } from '../../../providers/cohere/embed.js';
import { jinaEmbed } from '../../../providers/jina/embed.js';
import { ollamaEmbed } from '../../../providers/ollama/embed.js';
import { openaiEmbeddings } from '../../openai-embeddings/index.js';
import type { UpstreamFormat, ParsedCall } from '../../contract/api-format.js';
import { someEdits } from '../../../../../test/support/relay-calls.js';

const EDITS = someEdits({ dropStreamOptions: true });

function callOf(body: Readonly<Record<string, unknown>>): ParsedCall<'embed'> {
  const call = openaiEmbeddings.parseCall(Buffer.from(JSON.stringify({ model: 'm', ...body })), {
    pathModel: undefined,
    query: '',
    headers: {},
  });
  if (!call.ok) throw new Error(call.error.message);
  return call.value;
}
function neutralOf(body: Readonly<Record<string, unknown>>) {
  const request = callOf(body).neutral();
  if (!request.ok) throw new Error(request.error.message);
  return request.value;
}

const write = (apiFormat: UpstreamFormat<'embed'>, body: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(apiFormat.writeRequest(neutralOf(body), EDITS).body.toString());

interface Row {
  readonly name: string;
  readonly apiFormat: UpstreamFormat<'embed'>;
  readonly asked: Readonly<Record<string, unknown>>;
  readonly sent: unknown;
  readonly reply: unknown;
  readonly tokens: number | undefined;
}

const ROWS: readonly Row[] = [
  {
    name: 'Cohere',
    apiFormat: cohereEmbed,
    asked: { input: ['a', 'b'], dimensions: 512, input_type: 'search_query' },
    sent: {
      model: 'up',
      texts: ['a', 'b'],
      input_type: 'search_query',
      embedding_types: ['float'],
      output_dimension: 512,
    },
    reply: {
      id: 'x',
      embeddings: {
        float: [
          [1, 2],
          [3, 4],
        ],
      },
      meta: { billed_units: { input_tokens: 4 } },
    },
    tokens: 4,
  },
  {
    name: 'Ollama',
    apiFormat: ollamaEmbed,
    asked: { input: 'a', keep_alive: '1m' },
    sent: { model: 'up', input: ['a'], keep_alive: '1m' },
    reply: { model: 'up', embeddings: [[1, 2]], prompt_eval_count: 3 },
    tokens: 3,
  },
  {
    name: 'Jina',
    apiFormat: jinaEmbed,
    asked: { input: ['a', 'b'], task: 'retrieval.query', encoding_format: 'base64', api_base: 'x' },
    sent: { model: 'up', input: ['a', 'b'], task: 'retrieval.query' },
    reply: {
      data: [
        { index: 1, embedding: [3, 4] },
        { index: 0, embedding: [1, 2] },
      ],
      usage: { total_tokens: 6, prompt_tokens: 6 },
    },
    tokens: 6,
  },
  {
    name: 'Titan',
    apiFormat: titanEmbed,
    asked: { input: 'a', dimensions: 256, normalize: true },
    sent: { inputText: 'a', dimensions: 256, normalize: true },
    reply: { embedding: [1, 2], inputTextTokenCount: 2 },
    tokens: 2,
  },
  {
    name: 'Nova',
    apiFormat: novaEmbed,
    asked: { input: ['a'] },
    sent: {
      taskType: 'SINGLE_EMBEDDING',
      singleEmbeddingParams: {
        embeddingPurpose: 'GENERIC_INDEX',
        text: { truncationMode: 'END', value: 'a' },
      },
    },
    reply: { embeddings: [{ embeddingType: 'TEXT', embedding: [1, 2] }], inputTokenCount: 5 },
    tokens: 5,
  },
  {
    name: 'Cohere on Bedrock',
    apiFormat: bedrockCohereEmbed,
    asked: { input: ['a', 'b'] },
    sent: { texts: ['a', 'b'], input_type: 'search_document' },
    reply: {
      embeddings: [
        [1, 2],
        [3, 4],
      ],
      response_type: 'embeddings_floats',
    },
    tokens: undefined,
  },
];

describe.each(ROWS)('embeddings of $name', ({ apiFormat, asked, sent, reply, tokens }) => {
  const body = Buffer.from(JSON.stringify(reply));

  it('asks in the vendor’s words', () => {
    expect(write(apiFormat, asked)).toEqual(sent);
  });

  it('reads vectors in the order of the inputs, as numbers or packed, as the caller asked', () => {
    const numbers = apiFormat.readReply(body, callOf({ ...asked, encoding_format: 'float' }));
    const vectors = numbers.ok ? numbers.value.vectors : [];
    expect(vectors[0]).toEqual([1, 2]);
    const packed = apiFormat.readReply(body, callOf({ ...asked, encoding_format: 'base64' }));
    const first = packed.ok ? packed.value.vectors[0] : undefined;
    const bytes = Buffer.from(String(first), 'base64');
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4), bytes.length]).toEqual([1, 2, 8]);
  });

  it('charges the figure the vendor gives, and finds a failure', () => {
    const meter = apiFormat.openMeter(callOf(asked));
    expect(meter.readWhole(body)).toBe('answer');
    expect(meter.usage).toEqual(
      tokens === undefined ? undefined : { input: { total: tokens }, output: { total: 0 } },
    );
    expect(apiFormat.openMeter(callOf(asked)).readWhole(Buffer.from('{"message":"no"}'))).toBe('error');
    expect(apiFormat.openMeter(callOf(asked)).readWhole(Buffer.from('nothing'))).toBe('malformed');
    expect(apiFormat.readReply(Buffer.from('{"message":"no"}'), callOf(asked)).ok).toBe(false);
  });

  it('takes no answer with more or fewer vectors than texts: their owners would be unknown', () => {
    const inputs = Array.isArray(asked['input']) ? asked['input'] : [asked['input']];
    const call = callOf({ ...asked, input: [...inputs, 'c'] });
    expect(apiFormat.readReply(body, call)).toMatchObject({ error: { kind: 'upstream-malformed' } });
  });

  it('refuses token numbers, which only the vendor’s own tokeniser could read back', () => {
    expect(apiFormat.refuseRequest?.(neutralOf({ input: [1, 2, 3] }))).toMatchObject({
      kind: 'invalid-request',
      param: 'input',
    });
    expect(apiFormat.refuseRequest?.(neutralOf({ input: 'a' }))).toBeUndefined();
  });
});

it('vendors of one text per call refuse more', () => {
  for (const apiFormat of [titanEmbed, novaEmbed]) {
    expect(apiFormat.refuseRequest?.(neutralOf({ input: ['a', 'b'] }))).toMatchObject({ param: 'input' });
  }
});

it('token figures that cannot be true are not charged [UP-01]', () => {
  const meter = titanEmbed.openMeter(callOf({ input: 'a' }));
  meter.readWhole(Buffer.from('{"embedding":[1],"inputTextTokenCount":-1}'));
  expect([meter.usage, meter.usageIsInvalid]).toEqual([undefined, true]);
});
