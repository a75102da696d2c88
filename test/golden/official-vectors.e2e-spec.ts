import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { faultsOf, PUBLISHED } from '../support/schemas/check-schema.js';
import { geminiVectorFaults } from '../support/schemas/gemini-others.js';
import { object, type Json } from '../support/strict-vendors/story.js';
import { everyCell } from './matrix-cells.js';
import { playCell } from './play-cell.js';

/** Answer of an embedding vendor, right or not. */
interface Told {
  readonly vector: unknown;
  readonly tokens: unknown;
}

const usageOf = (tokens: unknown, name: string): Json => (tokens === undefined ? {} : { [name]: tokens });
const listed = ({ vector, tokens }: Told): Json => ({
  object: 'list',
  model: 'm',
  data: [{ object: 'embedding', index: 0, embedding: vector }],
  ...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
});

/** Writes one vector in each vendor's format. */
const TELL: Readonly<Record<string, (told: Told) => Json>> = {
  'openai-embeddings': listed,
  'jina-embed': listed,
  'baidu-embed': listed,
  'ali-multimodal-embed': ({ vector, tokens }) => ({
    output: { embeddings: [{ index: 0, embedding: vector, type: 'text' }] },
    usage: usageOf(tokens, 'input_tokens'),
  }),
  'bedrock-titan-embed': ({ vector, tokens }) => ({
    embedding: vector,
    ...usageOf(tokens, 'inputTextTokenCount'),
  }),
  'bedrock-nova-embed': ({ vector, tokens }) => ({
    embeddings: [{ embeddingType: 'TEXT', embedding: vector }],
    ...usageOf(tokens, 'inputTokenCount'),
  }),
  'bedrock-cohere-embed': ({ vector }) => ({ id: 'g', embeddings: { float: [vector] } }),
  'cohere-embed': ({ vector, tokens }) => ({
    id: 'g',
    embeddings: { float: [vector] },
    meta: { billed_units: usageOf(tokens, 'input_tokens') },
  }),
  'gemini-embed': ({ vector, tokens }) => ({
    embedding: { values: vector },
    usageMetadata: usageOf(tokens, 'promptTokenCount'),
  }),
  'gemini-embed-batch': ({ vector, tokens }) => ({
    embeddings: [{ values: vector }],
    usageMetadata: usageOf(tokens, 'promptTokenCount'),
  }),
  'vertex-embed': ({ vector, tokens }) => ({
    predictions: [{ embeddings: { values: vector, statistics: usageOf(tokens, 'token_count') } }],
  }),
  'ollama-embed': ({ vector, tokens }) => ({ embeddings: [vector], ...usageOf(tokens, 'prompt_eval_count') }),
};

/** Faults of an answer, by the client's format. */
const FAULTS: Readonly<Record<string, (answer: Json) => readonly string[]>> = {
  'openai-embeddings': (answer) => faultsOf(PUBLISHED.openaiOthers, 'CreateEmbeddingResponse', answer),
  'gemini-embed': (answer) => geminiVectorFaults(answer, false),
  'gemini-embed-batch': (answer) => geminiVectorFaults(answer, true),
};

const told: fc.Arbitrary<Told> = fc.record({
  vector: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 4 }),
  tokens: fc.oneof(fc.nat(1_000), fc.constantFrom(undefined, null, '7', 2.5, -1)),
});
/** The first of each pair of formats. */
const CELLS = [
  ...new Map(
    (await everyCell())
      .filter(
        ({ clientRoute, address, isRefused }) =>
          clientRoute.operation === 'embed' && address !== undefined && !isRefused,
      )
      .toReversed()
      .map((cell) => [`${cell.clientRoute.apiFormat.id} ← ${cell.apiFormat}`, cell] as const),
  ),
].map(([pair, cell]) => ({ pair, cell }));

describe('vectors match the schema of their API’s vendor, whatever an upstream sends', () => {
  it.each(CELLS)('$pair', async ({ cell }) => {
    const tell = TELL[cell.apiFormat];
    const faults = FAULTS[cell.clientRoute.apiFormat.id];
    if (tell === undefined || faults === undefined) throw new Error(`nobody wrote the rules of ${cell.name}`);
    await fc.assert(
      fc.asyncProperty(told, fc.boolean(), async (one, isForced) => {
        const { reply } = await playCell({ ...cell, isForced }, tell(one));
        expect({ status: reply.status, said: reply.status === 200 ? '' : reply.text }).toEqual({
          status: 200,
          said: '',
        });
        expect({ answer: reply.text, faults: faults(object(JSON.parse(reply.text))) }).toEqual({
          answer: reply.text,
          faults: [],
        });
      }),
      { numRuns: 20, seed: 27 },
    );
  });

  it.each(CELLS)('$pair: no vector is no answer', async ({ cell }) => {
    for (const vector of [[1, null], ['1'], {}, null]) {
      const { reply } = await playCell(
        { ...cell, isForced: true },
        TELL[cell.apiFormat]?.({ vector, tokens: 1 }),
      );
      expect([vector, reply.status]).toEqual([vector, 502]);
    }
  });
});
