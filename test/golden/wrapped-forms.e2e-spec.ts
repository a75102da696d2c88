import { describe, expect, it } from '@jest/globals';
import { ANSWER_PAIRS, answerTo, type AnswerPair } from '../support/answer-pairs.js';
import { carry, CHAT_PAIRS, FORMATS_OF_WORDS } from '../support/chat-formats.js';
import { GATHERED } from '../support/gather-streams.js';
import type { Answered } from '../support/random-answers/answered.js';
import { checkStrictSchema } from '../support/strict-vendors/schema-rules.js';
import { list, object, text, type Json } from '../support/strict-vendors/story.js';

const recipe = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
/** Forms whose root is no object, as clients of each API ask for them. */
const FORMS: Readonly<Record<string, { readonly schema: Json; readonly answer: string }>> = {
  'a list': {
    schema: { type: 'array', items: recipe },
    answer: '[{"name":"Brötchen \\"}\\""}, {"name":"}"}]',
  },
  'a list by reference': {
    schema: { $ref: '#/$defs/All', $defs: { All: { type: 'array', items: recipe } } },
    answer: '[{"name":"a"}]',
  },
  'a union': { schema: { anyOf: [recipe, { type: 'string' }] }, answer: '{"name":"b"}' },
  'a number': { schema: { type: 'integer' }, answer: '42' },
};
const MORE: Readonly<Record<string, (schema: Json) => Json>> = {
  'openai-chat': (schema) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'form', schema, strict: true } },
  }),
  'openai-responses': (schema) => ({
    text: { format: { type: 'json_schema', name: 'form', schema, strict: true } },
  }),
  'anthropic-messages': (schema) => ({ output_config: { format: { type: 'json_schema', schema } } }),
  'gemini-generate': (schema) => ({
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
  }),
};
const PROMPT: Readonly<Record<string, Json>> = {
  'openai-chat': { messages: [{ role: 'user', content: 'q' }] },
  'openai-responses': { input: 'q' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'q' }] },
  'gemini-generate': { contents: [{ role: 'user', parts: [{ text: 'q' }] }] },
};
const WORDS = {
  generationConfig: {
    responseMimeType: 'text/x.enum',
    responseSchema: { type: 'STRING', enum: ['Percussion', 'St "r" ing'] },
  },
};
/** Takes forms of every kind, or none at all. */
const WITHOUT_RULE = FORMATS_OF_WORDS.concat('gemini-generate', 'ollama-chat', 'baidu-chat', 'tencent-chat');

/** Schemas of answers in a body, wherever its format puts them. */
function schemasIn(value: unknown, name = ''): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap((item) => schemasIn(item, name));
  if (typeof value !== 'object' || value === null) return [];
  const isForm = ['schema', 'input_schema', 'json_schema', 'json'].includes(name) && !('schema' in value);
  if (isForm) return [object(value)];
  return Object.entries(value).flatMap(([key, inner]) => schemasIn(inner, key));
}

describe('a form whose root is no object travels in one, where vendors bind answers to objects only', () => {
  it.each(CHAT_PAIRS.filter(({ format }) => !WITHOUT_RULE.includes(format.id)))(
    '$name',
    ({ api, format }) => {
      const asked = Object.values(FORMS).map(({ schema }) => MORE[api.id]?.(schema) ?? {});
      const all = api.id === 'gemini-generate' ? [...asked, WORDS] : asked;
      for (const more of all) {
        const carried = carry(
          api,
          format,
          { ...PROMPT[api.id], ...more },
          { upstreamModel: 'claude-3-5-haiku' },
        );
        if ('refusal' in carried) throw new Error(carried.refusal);
        const [schema, ...others] = schemasIn(carried.body);
        expect(others).toEqual([]);
        expect(schema).toMatchObject({ type: 'object', required: ['value'], additionalProperties: false });
        if (JSON.stringify(carried.body).includes('"strict":true')) checkStrictSchema(schema, 'form');
      }
    },
  );
});

const answered = (words: string): Answered => ({
  pieces: [{ kind: 'text', words, sources: [] }],
  ending: 'done',
  usage: { fresh: 1, cached: 0, output: 60, thinking: 0 },
  step: 3,
});

/** The text of a whole answer of any client API. */
function saidIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(saidIn).join('');
  if (typeof value !== 'object' || value === null) return '';
  const members = object(value);
  if (typeof members['content'] === 'string') return text(members['content']);
  if (typeof members['text'] === 'string') return text(members['text']);
  return ['choices', 'message', 'output', 'candidates', 'content', 'parts']
    .map((name) => saidIn(members[name]))
    .join('');
}

async function expectSaid(pair: AnswerPair, more: Json, written: string, said: string): Promise<void> {
  const whole = await answerTo(pair, answered(written), { stream: false, thoughts: false, more });
  expect(saidIn(JSON.parse(whole))).toBe(said);
  const stream = await answerTo(pair, answered(written), { stream: true, thoughts: false, more });
  expect(saidIn(GATHERED[pair.frontId]?.(stream))).toBe(said);
}

describe('and its answer comes out of the object', () => {
  const named = new Set(CHAT_PAIRS.map(({ api, format }) => `${api.id} ← ${format.id}`));
  const pairs = ANSWER_PAIRS.filter(
    ({ name }) => named.has(name) && !WITHOUT_RULE.some((id) => name.endsWith(id)),
  );

  it.each(pairs)('$name', async (pair) => {
    for (const { schema, answer } of Object.values(FORMS)) {
      const more = MORE[pair.frontId]?.(schema) ?? {};
      await expectSaid(pair, more, `{"value":${answer}}`, answer);
      await expectSaid(pair, more, ` {\n "value" : ${answer}\n}\n`, answer);
      // A vendor that does not keep to it is passed through as it is.
      await expectSaid(pair, more, answer, answer);
    }
  });

  it.each(pairs.filter(({ frontId }) => frontId === 'gemini-generate'))(
    'a bare word: $name',
    async (pair) => {
      await expectSaid(pair, WORDS, '{"value":"St \\"r\\" ing"}', 'St "r" ing');
      await expectSaid(pair, WORDS, 'Percussion', 'Percussion');
    },
  );
});

it('a form only Google writes is refused elsewhere, by its name', () => {
  const { api, format } = CHAT_PAIRS.find(({ name }) => name === 'gemini-generate → openai-chat') ?? {};
  if (api === undefined || format === undefined) throw new Error('no such pair');
  for (const generationConfig of [
    { responseMimeType: 'text/x.enum' },
    { responseMimeType: 'application/xml' },
  ]) {
    const carried = carry(api, format, { ...PROMPT['gemini-generate'], generationConfig });
    expect(carried).toMatchObject({ param: 'generationConfig.responseMimeType' });
  }
});

it('Google itself is asked for a bare word as before', () => {
  const { api } = CHAT_PAIRS.find(({ name }) => name.startsWith('gemini-generate')) ?? {};
  const { format } = CHAT_PAIRS.find(({ name }) => name.endsWith('→ gemini-generate')) ?? {};
  if (api === undefined || format === undefined) throw new Error('no such pair');
  const carried = carry(api, format, { ...PROMPT['gemini-generate'], ...WORDS });
  const config = 'body' in carried ? object(carried.body['generationConfig']) : {};
  expect(config).toMatchObject({ responseMimeType: 'text/x.enum' });
  expect(list(config['responseSchema'])).toEqual([]);
  expect(object(config['responseSchema'])['enum']).toEqual(['Percussion', 'St "r" ing']);
});
