import { describe, expect, it } from '@jest/globals';
import { ROOT_FORMS, type RootForm } from '../../server/relay-core/formats/shared/fields/tool-roots.js';
import { carry, CHAT_FORMATS, CHAT_PAIRS } from '../support/chat-formats.js';
import { parsedBy, someEdits } from '../support/relay-calls.js';
import { schemaIn, toolBody } from '../support/tool-bodies.js';

type Schema = Readonly<Record<string, unknown>>;
const text = { type: 'string' };
const two = { route: text, file: text };
const object = { type: 'object', properties: two };

/** A root of each form, and the members that make it one. */
const ROOTS: Readonly<Record<RootForm, Schema>> = {
  anyOf: { ...object, anyOf: [{ required: ['route'] }, { required: ['file'] }] },
  oneOf: {
    oneOf: [
      { type: 'object', properties: { route: text }, required: ['route'] },
      { type: 'object', properties: { file: text }, required: ['file'] },
    ],
  },
  allOf: { allOf: [{ properties: { route: text } }, { properties: { file: text } }] },
  $ref: { $ref: '#/$defs/Args', $defs: { Args: object } },
  'list of types': { ...object, type: ['object', 'null'] },
  'no type': { properties: two },
  not: { ...object, not: { required: ['route', 'file'] } },
  'if, then, else': {
    ...object,
    ...(JSON.parse('{"if":{"required":["route"]},"then":{"required":["file"]},"else":{}}') as Schema),
  },
  'enum, const': { ...object, enum: [{ route: 'a' }, { file: 'b' }] },
  dependentSchemas: { ...object, dependentSchemas: { route: { required: ['file'] } } },
};
const KEYWORDS = ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'if', 'then', 'else', 'enum', 'dependentSchemas'];
const CONDITIONS = ['not', 'if', 'then', 'else', 'enum', 'dependentSchemas'];

/** Schemas each vendor refuses at a root: models of each format, with the keywords they accept. */
const MODELS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'anthropic-messages': { 'claude-sonnet-4-5': CONDITIONS, 'claude-3-haiku-20240307': CONDITIONS },
  'bedrock-converse': {
    'anthropic.claude-sonnet-4-5-20250929-v1:0': CONDITIONS,
    'us.amazon.nova-pro-v1:0': [],
    'meta.llama3-3-70b-instruct-v1:0': [],
  },
  'openai-chat': { 'gpt-4-turbo': [], 'gpt-5': [] },
  'openai-responses': { 'gpt-4-0613': [], 'gpt-5': [] },
  'gemini-generate': { 'gemini-2.5-pro': [] },
  'cohere-chat': { 'command-a-03-2025': [] },
  'baidu-chat': { 'ernie-4.0-8k': [] },
  'tencent-chat': { 'hunyuan-pro': [] },
  'ollama-chat': { 'qwen3:8b': [] },
  'spark-chat': { 'generalv3.5': [] },
};
const formats = CHAT_FORMATS.filter(({ toolRoots }) => toolRoots !== undefined);
const CELLS = CHAT_PAIRS.flatMap(({ api, format }) =>
  Object.entries(MODELS[format.id] ?? {}).map(([model, takes]) => ({
    api,
    format,
    model,
    takes,
    name: `${api.id} → ${format.id}, ${model}`,
  })),
);

it('every format with tools states its roots', () => {
  expect(formats.map(({ id }) => id).sort()).toEqual(Object.keys(MODELS).sort());
});

describe.each(CELLS)('the root of a tool’s schema: $name', ({ api, format, model, takes }) => {
  const leaves = (parameters: Schema) => {
    const carried = carry(api, format, toolBody(api.id, parameters), { upstreamModel: model });
    if ('refusal' in carried) throw new Error(carried.refusal);
    return { schema: schemaIn(carried.body)?.schema ?? {}, warnings: carried.warnings };
  };

  it.each(ROOT_FORMS)('%s', (form) => {
    const sent = ROOTS[form];
    const { schema, warnings } = leaves(sent);
    expect(String(schema['type']).toLowerCase()).toBe('object');
    expect(Object.keys(schema['properties'] as object).sort()).toEqual(['file', 'route']);
    const kept = KEYWORDS.filter((name) => name in sent && takes.includes(name));
    expect(KEYWORDS.filter((name) => name in schema)).toEqual(kept);
    for (const name of kept) expect(schema[name]).toEqual(sent[name]);
    const isLossy = KEYWORDS.some((name) => name in sent && name !== 'allOf' && name !== '$ref');
    expect(warnings.some(({ setting }) => setting === 'tools')).toBe(isLossy && kept.length === 0);
  });

  it.each(ROOT_FORMS)('%s stays inside it', (form) => {
    const { $defs, ...inner } = ROOTS[form];
    const parameters = {
      type: 'object',
      properties: { x: inner },
      ...($defs === undefined ? {} : { $defs }),
    };
    const { schema, warnings } = leaves(parameters);
    const left = warnings.filter(({ setting }) => setting === 'tools');
    const isLost =
      format.id === 'gemini-generate' && ['not', 'if', 'dependentSchemas'].some((name) => name in inner);
    expect(left.length).toBe(isLost ? 1 : 0);
    const found = (schema['properties'] as Schema)['x'] as Schema;
    // Google has other words, and Nova no place for definitions.
    if (format.id === 'gemini-generate')
      return expect(JSON.stringify(found)).toContain('"file":{"type":"STRING"}');
    if (form === '$ref' && model.includes('nova')) return expect(found).toEqual(object);
    expect(found).toEqual(inner);
    if ($defs !== undefined) expect(schema['$defs']).toEqual($defs);
  });
});

describe('Nova takes three members at a root', () => {
  const converse = CHAT_PAIRS.find(
    ({ api, format }) => api.id === 'openai-chat' && format.id === 'bedrock-converse',
  );
  const novaSchema = (parameters: Schema) => {
    if (converse === undefined) throw new Error('no such pair');
    const body = toolBody('openai-chat', parameters);
    const carried = carry(converse.api, converse.format, body, { upstreamModel: 'amazon.nova-lite-v1:0' });
    return 'body' in carried ? schemaIn(carried.body)?.schema : carried;
  };

  it('gets the others in their place, or not', () => {
    const sent = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'T',
      description: 'D',
      type: 'object',
      additionalProperties: false,
      required: ['item'],
      properties: {
        item: { $ref: '#/$defs/Item', description: 'the item' },
        // Names are free; values are no schemas.
        $ref: { type: 'string', default: { $ref: '#/$defs/Item' } },
        enum: { type: 'array', items: { $ref: '#/$defs/Item' } },
      },
      $defs: { Item: { type: 'object', properties: { next: { $ref: '#/$defs/Item' }, name: text } } },
    };
    const item = { type: 'object', properties: { next: {}, name: text } };
    expect(novaSchema(sent)).toEqual({
      type: 'object',
      required: ['item'],
      properties: {
        item: { ...item, description: 'the item' },
        $ref: { type: 'string', default: { $ref: '#/$defs/Item' } },
        enum: { type: 'array', items: item },
      },
    });
  });

  it('gets them also when the schema is no object', () => {
    expect(novaSchema({ type: 'array', items: { $ref: '#/$defs/W' }, $defs: { W: text } })).toEqual({
      type: 'object',
      required: ['value'],
      properties: { value: { type: 'array', items: text } },
    });
  });
});

describe('tools of callers whose bytes pass', () => {
  const apiFormats = CHAT_PAIRS.map(({ api }) => api).filter(({ id }) => id.startsWith('openai-'));
  const own = formats.filter(({ id }) => apiFormats.some((api) => api.id === id));
  const splice = (format: (typeof own)[number], body: Schema, upstreamModel: string) => {
    const api = apiFormats.find(({ id }) => id === format.id);
    if (api === undefined) throw new Error('no such API');
    const bytes = Buffer.from(JSON.stringify({ model: upstreamModel, ...body }));
    const warnings: { setting: string }[] = [];
    const edits = someEdits({ upstreamModel });
    const left = format.spliceRequest(parsedBy(api, bytes), edits, warnings as never);
    return { left, bytes, warnings, body: JSON.parse(left.toString()) as Record<string, unknown> };
  };

  it.each(own)('$id: models that refuse such roots get others', (format) => {
    for (const model of ['gpt-4', 'gpt-4-turbo', 'gpt-4-0613', 'gpt-4-1106-preview', 'openai/gpt-4-32k'])
      for (const form of ROOT_FORMS) {
        const { body, warnings } = splice(format, toolBody(format.id, ROOTS[form]), model);
        const schema = schemaIn(body)?.schema ?? {};
        expect({ form, type: schema['type'], found: KEYWORDS.filter((name) => name in schema) }).toEqual({
          form,
          type: 'object',
          found: [],
        });
        expect(Object.keys(schema['properties'] as object).sort()).toEqual(['file', 'route']);
        const isLossless = ['allOf', '$ref', 'list of types', 'no type'].includes(form);
        expect(warnings.map(({ setting }) => setting)).toEqual(isLossless ? [] : ['tools']);
      }
  });

  it.each(own)('$id: nothing else changes', (format) => {
    const plain = splice(format, toolBody(format.id, object), 'gpt-4-turbo');
    expect(plain.left).toBe(plain.bytes);
    // Arguments of such a tool would come back in another form.
    const scalar = splice(format, toolBody(format.id, { type: 'array', items: text }), 'gpt-4');
    expect(scalar.left).toBe(scalar.bytes);
    for (const model of ['gpt-4o', 'gpt-4.1', 'gpt-4o-mini', 'gpt-5', 'my-gpt-4-tune', 'chatgpt-4-latest']) {
      const sent = splice(format, toolBody(format.id, ROOTS.anyOf), model);
      expect(sent.left).toBe(sent.bytes);
    }
  });

  it('functions of the time before tools too', () => {
    const [chat] = own.filter(({ id }) => id === 'openai-chat');
    if (chat === undefined) throw new Error('no such format');
    const messages = [{ role: 'user', content: 'q' }];
    const functions = [{ name: 'f', parameters: ROOTS.oneOf }, { name: 'g' }, null];
    const { body } = splice(chat, { messages, functions }, 'gpt-4');
    expect(body['functions']).toEqual([
      { name: 'f', parameters: { type: 'object', properties: two } },
      { name: 'g' },
      null,
    ]);
  });
});
