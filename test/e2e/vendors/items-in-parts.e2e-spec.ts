import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { VendorFixture } from './vendor.fixture.js';
import { json, type VendorAnswer, type VendorRequest } from './vendor-server.js';

const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`);
const numberIn = (text: unknown): number => Number(String(text).split(' ')[1]);
/** The vector of `text 7` begins with 7. */
const vectorsOf = (inputs: readonly unknown[]): number[][] => inputs.map((input) => [numberIn(input), 0.5]);
const list = (value: unknown): readonly unknown[] => value as readonly unknown[];

let fixture: VendorFixture;

beforeAll(async () => {
  fixture = await VendorFixture.start([
    { type: 24, key: 'AIza', models: ['gemini-embedding-001'] },
    { type: 34, key: 'cohere-key', models: ['embed-v4.0'] },
    { type: 17, key: 'sk-ali', models: ['text-embedding-v4', 'text-embedding-v2'] },
    { type: 33, key: 'aws-key|us-east-1', models: ['amazon.titan-embed-text-v2:0'] },
    { type: 38, key: 'jina_key', models: ['jina-embeddings-v3'] },
    { type: 1, key: 'sk-plain', models: ['text-embedding-3-small'] },
    { type: 1, key: 'pa-key', models: ['rerank-2.5', 'voyage-3.5'], settings: '{"preset":"voyage"}' },
  ]);
});
beforeEach(() => {
  fixture.vendor.requests.length = 0;
});
afterAll(() => fixture?.stop());

const embed = (model: string, input: unknown, more: object = {}) =>
  fixture.post('/v1/embeddings', { model, input, ...more });

interface Vectors {
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] }[];
  readonly usage: { readonly prompt_tokens: number };
}

async function vectorsIn(response: Response): Promise<Vectors> {
  expect(response.status).toBe(200);
  return (await response.json()) as Vectors;
}

const errorIn = async (response: Response) =>
  ((await response.json()) as { error: { message: string; param?: string } }).error;

/** A Cohere that reports three tokens a text. */
const cohere: VendorAnswer = (request, response) => {
  const inputs = list(request.body['texts']);
  void json({
    embeddings: { float: vectorsOf(inputs) },
    meta: { billed_units: { input_tokens: inputs.length * 3 } },
  })(request, response);
};

describe('more items than a vendor takes in one call', () => {
  it('sends parts of 96 texts to Cohere, joins them in order and charges their sum once', async () => {
    fixture.vendor.on('/v2/embed', cohere);
    const { data, usage } = await vectorsIn(await embed('embed-v4.0', texts(250)));
    expect(data.map(({ index, embedding }) => [index, embedding[0]])).toEqual(
      texts(250).map((_, index) => [index, index]),
    );
    expect(usage.prompt_tokens).toBe(750);
    expect(fixture.vendor.requests.map(({ body }) => list(body['texts']).length).toSorted()).toEqual([
      58, 96, 96,
    ]);
    expect(await fixture.chargeOf('embed-v4.0')).toMatchObject({
      prompt_tokens: 750,
      completion_tokens: 0,
      quota: 750,
    });
    expect(await fixture.charges('embed-v4.0')).toHaveLength(1);
  });

  it('sends parts of 100 requests to Gemini', async () => {
    fixture.vendor.on('/v1beta/models/gemini-embedding-001:batchEmbedContents', (request, response) => {
      const requests = list(request.body['requests']) as { content: { parts: { text: string }[] } }[];
      const inputs = requests.map(({ content }) => content.parts[0]?.text);
      void json({ embeddings: vectorsOf(inputs).map((values) => ({ values })) })(request, response);
    });
    const { data } = await vectorsIn(await embed('gemini-embedding-001', texts(150)));
    expect(data.map(({ embedding }) => embedding[0])).toEqual(texts(150).map((_, index) => index));
    expect(fixture.vendor.requests).toHaveLength(2);
  });

  it.each([
    ['text-embedding-v4', 10, 3],
    ['text-embedding-v2', 25, 2],
  ])('follows the bound of the model: %s takes %i', async (model, most, parts) => {
    fixture.vendor.on('/compatible-mode/v1/embeddings', (request, response) => {
      const inputs = list(request.body['input']);
      void json({
        data: vectorsOf(inputs).map((embedding, index) => ({ object: 'embedding', index, embedding })),
        usage: { prompt_tokens: inputs.length, total_tokens: inputs.length },
      })(request, response);
    });
    const { data, usage } = await vectorsIn(await embed(model, texts(30)));
    expect(data.map(({ index, embedding }) => [index, embedding[0]])).toEqual(
      texts(30).map((_, index) => [index, index]),
    );
    expect(usage.prompt_tokens).toBe(30);
    const sizes = fixture.vendor.requests.map(({ body }) => list(body['input']).length);
    expect([sizes.length, Math.max(...sizes)]).toEqual([parts, most]);
  });

  it('sends one text at a time to Titan, four at once at most', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    fixture.vendor.on('/model/amazon.titan-embed-text-v2%3A0/invoke', (request, response) => {
      waiting.push(
        () =>
          void json({ embedding: vectorsOf([request.body['inputText']])[0], inputTextTokenCount: 2 })(
            request,
            response,
          ),
      );
      most = Math.max(most, waiting.length);
    });
    const answering = embed('amazon.titan-embed-text-v2:0', texts(6));
    await fixture.vendor.waitUntil(() => fixture.vendor.requests.length === 4);
    // The last first: the order of the answers is not the order of the items.
    for (let answered = 0; answered < 6; answered += 1) {
      await fixture.vendor.waitUntil(() => waiting.length > 0);
      waiting.pop()?.();
    }
    const { data, usage } = await vectorsIn(await answering);
    expect(data.map(({ embedding }) => embedding[0])).toEqual([0, 1, 2, 3, 4, 5]);
    expect([most, usage.prompt_tokens]).toEqual([4, 12]);
  });

  it('splits lists of token numbers alike', async () => {
    fixture.vendor.on('/compatible-mode/v1/embeddings', (request, response) => {
      const data = list(request.body['input']).map((tokens, index) => ({
        index,
        embedding: [list(tokens)[0]],
      }));
      void json({ data, usage: { prompt_tokens: data.length, total_tokens: data.length } })(
        request,
        response,
      );
    });
    const tokens = Array.from({ length: 12 }, (_, index) => [index + 1, 99]);
    const { data } = await vectorsIn(await embed('text-embedding-v4', tokens));
    expect(data.map(({ embedding }) => embedding[0])).toEqual(tokens.map(([first]) => first));
    expect(fixture.vendor.requests).toHaveLength(2);
  });

  it('ranks the documents of all parts together, with the best of them', async () => {
    const documents = texts(1_200);
    fixture.vendor.on('/v1/rerank', (request, response) => {
      const data = list(request.body['documents'])
        .map((document, index) => ({ index, relevance_score: numberIn(document) / 10_000 }))
        .toReversed()
        .slice(0, Number(request.body['top_k']));
      void json({ object: 'list', data, usage: { total_tokens: 40 } })(request, response);
    });
    const response = await fixture.post('/v1/rerank', {
      model: 'rerank-2.5',
      query: 'q',
      documents,
      top_n: 3,
    });
    expect(response.status).toBe(200);
    const { results, usage } = (await response.json()) as {
      results: { index: number }[];
      usage: { total_tokens: number };
    };
    expect(results.map(({ index }) => index)).toEqual([1_199, 1_198, 1_197]);
    expect(usage.total_tokens).toBe(80);
    expect(
      fixture.vendor.requests.map(({ body }) => [list(body['documents']).length, body['top_k']]),
    ).toEqual([
      [1_000, 3],
      [200, 3],
    ]);
    expect(await fixture.chargeOf('rerank-2.5')).toMatchObject({ prompt_tokens: 80, quota: 80 });
  });
});

describe('a part that fails', () => {
  const refuseSecond: VendorAnswer = (request: VendorRequest, response) => {
    const first = numberIn(list(request.body['texts'])[0]);
    if (first === 96) void json({ message: 'too many tokens' }, 429)(request, response);
    else void cohere(request, response);
  };

  it('fails the call, charges nothing and leaves what the vendor billed on the line', async () => {
    fixture.vendor.on('/v2/embed', refuseSecond);
    const charged = (await fixture.charges('embed-v4.0')).length;
    const response = await embed('embed-v4.0', texts(250));
    expect(response.status).toBe(429);
    expect(fixture.vendor.requests).toHaveLength(3);
    const line = await fixture.admin.waitFor(
      () =>
        fixture.admin.send<{ items: { quota: number; other: string }[] }>(
          'GET',
          '/api/log/?p=1&page_size=10&type=5&model_name=embed-v4.0',
        ),
      ({ items }) => items.length === 1,
    );
    expect(line.items[0]?.quota).toBe(0);
    expect(JSON.parse(line.items[0]?.other ?? '{}')).toMatchObject({
      upstream_usage: { prompt_tokens: (96 + 58) * 3, completion_tokens: 0 },
    });
    expect(await fixture.charges('embed-v4.0')).toHaveLength(charged);
  });
});

describe('the bound of the API itself', () => {
  it.each(['jina-embeddings-v3', 'text-embedding-3-small'])('names 2048 to a caller of %s', async (model) => {
    const response = await embed(model, texts(3_000));
    expect(response.status).toBe(400);
    expect(await errorIn(response)).toMatchObject({
      message: expect.stringContaining('at most 2048 inputs'),
      param: 'input',
    });
    expect(fixture.vendor.requests).toEqual([]);
  });

  it('refuses more parts than a call may have, naming the bound of the vendor', async () => {
    const response = await embed('amazon.titan-embed-text-v2:0', texts(300));
    expect(response.status).toBe(400);
    expect((await errorIn(response)).message).toContain('at most 1 items in one call');
  });
});

it('keeps the books exact over all of it', async () => {
  expect(await fixture.wrongBooks()).toEqual([]);
});
