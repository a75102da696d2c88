import { describe, expect, it } from '@jest/globals';
import type { UpstreamFormat, ParsedCall, ReplyContext } from '../contract/api-format.js';
import {
  aliRerank,
  bedrockRerank,
  cohereRerank,
  rerank,
  siliconflowRerank,
  xinferenceRerank,
} from './index.js';
import { someEdits } from '../../../../test/support/relay-calls.js';

const EDITS = someEdits({ dropStreamOptions: true });
const CONTEXT: ReplyContext = { callId: 'id', createdAtSeconds: 1, model: 'm', wantsStreamUsage: false };
const TARGET = { pathModel: undefined, query: '', headers: {} };
const ASKED = { model: 'm', query: 'rain?', documents: ['sun', { text: 'rain', id: 7 }, { title: 'snow' }] };

const parse = (body: unknown) => rerank.parseCall(Buffer.from(JSON.stringify(body)), TARGET);
function callOf(extra: Readonly<Record<string, unknown>> = {}): ParsedCall<'rerank'> {
  const call = parse({ ...ASKED, ...extra });
  if (!call.ok) throw new Error(call.error.message);
  return call.value;
}
function write(apiFormat: UpstreamFormat<'rerank'>, extra: Readonly<Record<string, unknown>> = {}): unknown {
  const request = callOf(extra).neutral();
  if (!request.ok) throw new Error(request.error.message);
  return JSON.parse(apiFormat.writeRequest(request.value, EDITS).body.toString());
}

describe('requests for a ranking', () => {
  it.each([
    [{ query: 'q', documents: ['a'] }, 'model'],
    [{ model: 'm', documents: ['a'] }, 'query'],
    [{ model: 'm', query: '', documents: ['a'] }, 'query'],
    [{ model: 'm', query: ['q'], documents: ['a'] }, 'query'],
    [{ model: 'm', query: 'q' }, 'documents'],
    [{ model: 'm', query: 'q', documents: [] }, 'documents'],
    [{ model: 'm', query: 'q', documents: 'a' }, 'documents'],
    [{ model: 'm', query: 'q', documents: ['a'], top_n: 0 }, 'top_n'],
    [{ model: 'm', query: 'q', documents: ['a'], top_n: 1.5 }, 'top_n'],
    [{ model: 'm', query: 'q', documents: ['a'], return_documents: 'yes' }, 'return_documents'],
  ])('%j names what is wrong', (body, param) => {
    expect(parse(body)).toMatchObject({ ok: false, error: { kind: 'invalid-request', param } });
  });

  it('refuses a document that is no text when the call is translated', () => {
    const call = callOf({ documents: ['a', 5] });
    expect(call.neutral()).toMatchObject({
      ok: false,
      error: { kind: 'invalid-request', param: 'documents.1' },
    });
  });

  it('passes the caller’s bytes with the model renamed and what steers taken out', () => {
    const call = callOf({ api_base: 'https://evil.example', own: 1 });
    expect(JSON.parse(rerank.spliceRequest(call, EDITS).toString())).toEqual({
      ...ASKED,
      model: 'up',
      own: 1,
    });
    const plain = callOf();
    expect(rerank.spliceRequest(plain, { ...EDITS, upstreamModel: 'm' })).toBe(plain.document.bytes);
  });

  it('asks each vendor in its own form', () => {
    const documents = ['sun', 'rain', '{"title":"snow"}'];
    expect(write(rerank, { top_n: 2, own: 1 })).toEqual({
      model: 'up',
      query: 'rain?',
      documents: ASKED.documents,
      top_n: 2,
      return_documents: false,
      own: 1,
    });
    expect(write(cohereRerank, { max_chunks_per_doc: 5, max_tokens_per_doc: 9 })).toEqual({
      model: 'up',
      query: 'rain?',
      documents,
      max_tokens_per_doc: 9,
    });
    expect(write(aliRerank, { top_n: 1, return_documents: true })).toEqual({
      model: 'up',
      input: { query: 'rain?', documents },
      parameters: { top_n: 1, return_documents: true },
    });
    expect(write(bedrockRerank, { top_n: 9 })).toMatchObject({
      queries: [{ type: 'TEXT', textQuery: { text: 'rain?' } }],
      sources: [{}, { inlineDocumentSource: { textDocument: { text: 'rain' } } }, {}],
      rerankingConfiguration: {
        bedrockRerankingConfiguration: {
          numberOfResults: 3,
          modelConfiguration: { modelArn: 'up' },
        },
      },
    });
  });
});

describe('rankings', () => {
  const answer = (
    apiFormat: UpstreamFormat<'rerank'>,
    reply: unknown,
    extra: Readonly<Record<string, unknown>> = {},
  ) => {
    const call = callOf(extra);
    const read = apiFormat.readReply(Buffer.from(JSON.stringify(reply)), call);
    if (!read.ok) throw new Error(read.error.message);
    return JSON.parse(rerank.writeReply(read.value, CONTEXT, call).toString()) as Record<string, unknown>;
  };
  const rows = [
    { index: 0, relevance_score: 0.1 },
    { index: 1, relevance_score: 0.9 },
    { index: 2, relevance_score: 0.5 },
  ];

  it('puts the best first, as many as were asked for, in one shape', () => {
    const reply = { model: 'up', results: rows, usage: { total_tokens: 12 } };
    expect(answer(rerank, reply, { top_n: 2 })).toEqual({
      id: 'id',
      model: 'up',
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 2, relevance_score: 0.5 },
      ],
      usage: { prompt_tokens: 12, total_tokens: 12 },
    });
  });

  it.each([
    ['more results than requested', { top_n: 1 }, [rows[1], rows[2]], false],
    ['results in the order of the documents', {}, rows, false],
    ['the best first, as many as requested', { top_n: 2 }, [rows[1], rows[2]], true],
    ['all, the best first, without a number', {}, [rows[1], rows[2], rows[0]], true],
    ['results without scores', { top_n: 1 }, [{ index: 1, relevance_score: null }, rows[0]], true],
  ])(
    'passes a reply of the same format only in the requested ranking: %s',
    (_name, extra, results, passes) => {
      const body = Buffer.from(JSON.stringify({ model: 'up', results }));
      expect(rerank.hasRequestedForm?.(body, callOf(extra))).toBe(passes);
    },
  );

  it('gives documents back only to callers who asked, from the request where the vendor left them out', () => {
    const reply = { results: [{ index: 0, relevance_score: 1, document: 'sun' }, ...rows.slice(1)] };
    expect(answer(xinferenceRerank, reply)['results']).toEqual([
      { index: 0, relevance_score: 1 },
      { index: 1, relevance_score: 0.9 },
      { index: 2, relevance_score: 0.5 },
    ]);
    expect(answer(xinferenceRerank, reply, { return_documents: true })['results']).toEqual([
      { index: 0, relevance_score: 1, document: { text: 'sun' } },
      { index: 1, relevance_score: 0.9, document: { text: 'rain', id: 7 } },
      { index: 2, relevance_score: 0.5, document: { title: 'snow' } },
    ]);
  });

  it('reads every vendor’s shape', () => {
    const best = [{ index: 1, relevance_score: 0.9 }];
    const one = { top_n: 1 };
    expect(
      answer(aliRerank, { output: { results: rows }, usage: { total_tokens: 3 } }, one)['results'],
    ).toEqual(best);
    expect(answer(bedrockRerank, { results: [{ index: 1, relevanceScore: 0.9 }] }, one)['results']).toEqual(
      best,
    );
    expect(answer(rerank, { data: rows }, one)['results']).toEqual(best);
    const cohere = { id: 'c', results: rows, meta: { billed_units: { search_units: 1 } } };
    expect(answer(cohereRerank, cohere, one)).toMatchObject({ id: 'c', results: best, meta: cohere.meta });
  });

  it.each(['{}', '[]', '{"results":{}}', '{"results":[{"index":"0"}]}', 'no'])('%s is none', (body) => {
    expect(rerank.readReply(Buffer.from(body), callOf())).toMatchObject({
      error: { kind: 'upstream-malformed' },
    });
  });

  describe('charges', () => {
    const measure = (apiFormat: UpstreamFormat<'rerank'>, reply: unknown) => {
      const meter = apiFormat.openMeter(callOf());
      const verdict = meter.readWhole(Buffer.from(JSON.stringify(reply)));
      return { verdict, usage: meter.usage, units: meter.units, own: meter.ownCount() };
    };
    const tokens = (count: number) => ({ input: { total: count }, output: { total: 0 } });

    it.each([
      [
        'Jina',
        rerank,
        { results: rows, usage: { total_tokens: 12, prompt_tokens: 12 } },
        tokens(12),
        undefined,
      ],
      [
        'SiliconFlow',
        siliconflowRerank,
        { results: rows, meta: { tokens: { input_tokens: 8, output_tokens: 0 } } },
        tokens(8),
        undefined,
      ],
      ['Ali', aliRerank, { output: { results: rows }, usage: { total_tokens: 5 } }, tokens(5), undefined],
      ['Cohere', cohereRerank, { results: rows, meta: { billed_units: { search_units: 1 } } }, undefined, 1],
      [
        'Xinference',
        xinferenceRerank,
        { results: rows, meta: { tokens: { input_tokens: 8_000 } } },
        undefined,
        undefined,
      ],
    ] as const)('%s', (_name, apiFormat, reply, usage, units) => {
      const measured = measure(apiFormat, reply);
      expect([measured.verdict, measured.usage, measured.units]).toEqual(['answer', usage, units]);
      expect(measured.own).toEqual(tokens(callOf().shape.promptTokens));
    });

    it('rejects reports of more searches than the documents need, and impossible figures [UP-01]', () => {
      const absurd = { results: rows, meta: { billed_units: { search_units: 1_000 } } };
      expect(measure(cohereRerank, absurd).units).toBeUndefined();
      const meter = rerank.openMeter(callOf());
      meter.readWhole(Buffer.from(JSON.stringify({ results: rows, usage: { total_tokens: -1 } })));
      expect([meter.usage, meter.usageIsInvalid]).toEqual([undefined, true]);
    });

    it('reads a failure with status 200 as a failure', () => {
      expect(measure(aliRerank, { code: 'InvalidParameter', message: 'no' }).verdict).toBe('error');
      expect(rerank.openMeter(callOf()).readWhole(Buffer.from('<html>'))).toBe('malformed');
    });
  });
});
