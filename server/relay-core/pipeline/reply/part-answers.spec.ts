import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../../test/support/memory-ports.js';
import { parsedBy } from '../../../../test/support/relay-calls.js';
import { openaiEmbeddings } from '../../formats/openai-embeddings/index.js';
import { rerank } from '../../formats/rerank/index.js';
import type { ApiFormat } from '../../formats/contract/api-format.js';
import type { ProviderOperation } from '../../providers/provider.js';
import { readErrorInside, readFailedReply } from '../../providers/shared/openai-compatible-error.js';
import { PartAnswers } from './part-answers.js';

type ListOperation = 'embed' | 'rerank';

const operationOf = <O extends ListOperation>(apiFormat: ApiFormat<O>): ProviderOperation<O> => ({
  apiFormat,
  address: () => ({ ok: true, value: 'http://vendor' }),
  headers: () => ({}),
  edits: () => ({ dropStreamOptions: false, usesCompletionCap: false, refusedMembers: [] }),
  readError: (reply) => readFailedReply(reply, []),
  readErrorDocument: (document) => readErrorInside(document, []),
});

const body = (document: unknown): Buffer => Buffer.from(JSON.stringify(document));
const answered = (document: unknown) => ({ status: 200, headers: {}, body: body(document) });

/** Two parts of two texts and of one. */
function embeddings() {
  const parts = [
    { parsed: parsedBy(openaiEmbeddings, { model: 'm', input: ['first', 'second'] }), firstItem: 0 },
    { parsed: parsedBy(openaiEmbeddings, { model: 'm', input: ['third'] }), firstItem: 2 },
  ];
  const answers = new PartAnswers(operationOf(openaiEmbeddings), aRoute(), parts);
  const whole = parsedBy(openaiEmbeddings, { model: 'm', input: ['first', 'second', 'third'] });
  const meter = answers.operation.apiFormat.openMeter(whole);
  return { answers, meter, whole };
}

const vectors = (count: number, tokens?: number, from = 0) =>
  answered({
    data: Array.from({ length: count }, (_, index) => ({ index, embedding: [from + index] })),
    model: 'served',
    ...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  });

describe('answers to parts', () => {
  it('joins them in the order of the call, whichever came first, with their usage summed', () => {
    const { answers, meter, whole } = embeddings();
    answers.take(1, vectors(1, 3, 2));
    answers.take(0, vectors(2, 7));
    expect([meter.readWhole(Buffer.alloc(0)), meter.usage]).toEqual([
      'answer',
      { input: { total: 10 }, output: { total: 0 } },
    ]);
    expect(answers.operation.apiFormat.readReply(Buffer.alloc(0), whole)).toMatchObject({
      ok: true,
      value: { servedModel: 'served', vectors: [[0], [1], [2]], usage: { input: { total: 10 } } },
    });
  });

  it('ranks them together, by their places in the whole list', () => {
    const parts = [['a', 'b'], ['c']].map((documents, index) => ({
      parsed: parsedBy(rerank, { model: 'm', query: 'q', documents }),
      firstItem: index * 2,
    }));
    const answers = new PartAnswers(operationOf(rerank), aRoute(), parts);
    const ranks = (...scores: number[]) =>
      answered({
        results: scores.map((relevance_score, index) => ({ index, relevance_score })),
        meta: { a: 1 },
      });
    answers.take(0, ranks(0.2, 0.9));
    answers.take(1, ranks(0.5));
    const whole = parsedBy(rerank, { model: 'm', query: 'q', documents: ['a', 'b', 'c'] });
    const read = answers.operation.apiFormat.readReply(Buffer.alloc(0), whole);
    expect(read.ok && read.value.results.map(({ index, score }) => [index, score])).toEqual([
      [1, 0.9],
      [2, 0.5],
      [0, 0.2],
    ]);
  });

  it('counts a part that reports nothing, beside the reports of the others', () => {
    const { answers, meter } = embeddings();
    answers.onSent(0);
    answers.onSent(1);
    answers.take(0, vectors(2));
    answers.take(1, vectors(1, 30));
    meter.readWhole(Buffer.alloc(0));
    expect([meter.usage, meter.ownCount()?.input.total]).toEqual([undefined, 32]);
  });

  it('counts only the parts that left when the call is cut', () => {
    const { answers, meter } = embeddings();
    answers.onSent(0);
    expect(meter.ownCount()).toEqual({ input: { total: 2 }, output: { total: 0 } });
  });

  it.each([
    ['a refusal', { status: 429, headers: {}, body: body({ error: { message: 'slow down' } }) }, 'slow down'],
    ['an error in a success', answered({ error: { message: 'no such model', code: 404 } }), 'no such model'],
    ['nothing', answered({}), 'empty'],
    ['a list too short', answered({ data: [{ embedding: [1] }], usage: { prompt_tokens: 1 } }), '1 vectors'],
    ['no JSON', { status: 200, headers: {}, body: Buffer.from('<html>') }, ''],
  ])('fails with the failure of one of them: %s', (_name, reply, words) => {
    const { answers, meter } = embeddings();
    expect(answers.take(1, vectors(1, 3, 2))).toBe(true);
    expect(answers.take(0, reply)).toBe(false);
    expect([meter.readWhole(Buffer.alloc(0)), meter.usage]).toEqual(['error', undefined]);
    const error = answers.operation.readErrorDocument(meter.errorDocument, aRoute());
    expect(error.blame).toBe('upstream');
    expect(error.message.toLowerCase()).toContain(words);
  });

  it('keeps what the vendor reported of the others when one of them fails', () => {
    const { answers, meter } = embeddings();
    answers.take(0, vectors(2, 7));
    answers.take(1, { status: 500, headers: {}, body: Buffer.alloc(0) });
    expect(meter.billedUsage).toEqual({ input: { total: 7 }, output: { total: 0 } });
  });

  it('shows a failure under the status that the operator wants for it', () => {
    const { answers } = embeddings();
    answers.take(0, { status: 529, headers: {}, body: body({ error: { message: 'full' } }) });
    const error = answers.operation.readError({ status: 503, headers: {}, body: Buffer.alloc(0) }, aRoute());
    expect(error).toMatchObject({ upstreamStatus: 503, message: expect.stringContaining('full') });
  });
});
