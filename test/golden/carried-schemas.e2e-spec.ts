import { describe, expect, it } from '@jest/globals';
import { carry, CHAT_PAIRS, FORMATS_OF_WORDS } from '../support/chat-formats.js';
import { checkGoogleSchema, checkStrictSchema } from '../support/strict-vendors/schema-rules.js';
import { schemaIn, toolBody } from '../support/tool-bodies.js';

const text = { type: 'string' };
const two = { route: text, file: text };
/** Roots as frameworks write them. */
const ROOTS: Readonly<Record<string, Record<string, unknown>>> = {
  'a union of what is required': {
    type: 'object',
    properties: two,
    anyOf: [{ required: ['route'] }, { required: ['file'] }],
  },
  'a union of objects': {
    oneOf: [
      { type: 'object', properties: { route: text }, required: ['route'] },
      { type: 'object', properties: { file: text }, required: ['file'] },
    ],
  },
  'a sum of objects': { allOf: [{ properties: { route: text } }, { properties: { file: text } }] },
  'a reference': { $ref: '#/$defs/Args', $defs: { Args: { type: 'object', properties: two } } },
  'a list of types': { type: ['object', 'null'], properties: two },
  'no type': { properties: two },
};

const AT_ROOT = ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'enum'];
const FORMATS_WITH_TOOLS = CHAT_PAIRS.filter(({ format }) => !FORMATS_OF_WORDS.includes(format.id));

describe('the root of a tool’s schema is an object, in every format', () => {
  it.each(FORMATS_WITH_TOOLS)('$name', ({ api, format }) => {
    for (const [form, parameters] of Object.entries(ROOTS)) {
      const carried = carry(api, format, toolBody(api.id, parameters));
      if ('refusal' in carried) throw new Error(carried.refusal);
      const { schema } = schemaIn(carried.body) ?? {};
      expect({ form, type: String(schema?.['type']).toLowerCase() }).toEqual({ form, type: 'object' });
      expect({ form, found: AT_ROOT.filter((name) => schema?.[name] !== undefined) }).toEqual({
        form,
        found: [],
      });
      expect(Object.keys((schema?.['properties'] ?? {}) as object).sort()).toEqual(['file', 'route']);
      expect(schema).not.toHaveProperty('nullable');
      if (format.id === 'gemini-generate') checkGoogleSchema(schema, 'parameters');
      const isUnion = 'anyOf' in parameters || 'oneOf' in parameters;
      expect(carried.warnings.some(({ setting }) => setting === 'tools')).toBe(isUnion);
    }
  });
});

describe('Google gets several types as alternatives, each with what speaks of it', () => {
  const google = CHAT_PAIRS.filter(({ format }) => format.id === 'gemini-generate');
  it.each(google)('$name', ({ api, format }) => {
    const properties = {
      list: {
        type: ['array', 'string', 'null'],
        description: 'ids',
        items: { type: 'integer' },
        minItems: 1,
        minLength: 2,
      },
      thing: { type: ['object', 'number'], properties: { x: text }, required: ['x'], minimum: 1 },
      bare: { type: ['array', 'boolean'] },
    };
    const carried = carry(api, format, toolBody(api.id, { type: 'object', properties }));
    if ('refusal' in carried) throw new Error(carried.refusal);
    const { schema } = schemaIn(carried.body) ?? {};
    checkGoogleSchema(schema, 'parameters');
    expect(schema?.['properties']).toEqual({
      list: {
        description: 'ids',
        nullable: true,
        anyOf: [
          { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: 1 },
          { type: 'STRING', minLength: 2 },
        ],
      },
      thing: {
        anyOf: [
          { type: 'OBJECT', properties: { x: { type: 'STRING' } }, required: ['x'] },
          { type: 'NUMBER', minimum: 1 },
        ],
      },
      bare: { anyOf: [{ type: 'ARRAY', items: { type: 'STRING' } }, { type: 'BOOLEAN' }] },
    });
  });
});

describe('a schema that is to be kept is in the subset its vendor keeps, or is not strict with a warning', () => {
  const BOUND: readonly Record<string, unknown>[] = [
    { type: 'object', properties: { a: text, b: { type: 'integer' } }, required: ['a'] },
    {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'object', properties: { x: text } } } },
    },
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'object', properties: { x: text } } },
    },
    { type: 'object', properties: { map: { type: 'object', additionalProperties: text } } },
    {
      type: 'object',
      properties: { a: { oneOf: [text, { type: 'number' }] }, b: { enum: ['x', 'y'], default: 'x' } },
    },
  ];
  const pairs = CHAT_PAIRS.filter(
    ({ api, format }) => api.id === 'anthropic-messages' && format.id.startsWith('openai-'),
  );

  it.each(pairs)('$name', ({ api, format }) => {
    for (const parameters of BOUND) {
      const carried = carry(api, format, toolBody(api.id, parameters, true));
      if ('refusal' in carried) throw new Error(carried.refusal);
      const found = schemaIn(carried.body);
      const isSaid = carried.warnings.some(({ setting }) => setting === 'strict');
      expect(found?.strict).toBe(!isSaid);
      expect(isSaid).toBe('map' in (parameters['properties'] as object));
      if (found?.strict === true) {
        checkStrictSchema(found.schema, 'f');
        for (const one of Object.values((found.schema['$defs'] ?? {}) as object)) checkStrictSchema(one, 'f');
      }
    }
  });
});

describe('how tools are chosen', () => {
  it.each(CHAT_PAIRS)('does not stay where there are none: $name', ({ api, format }) => {
    const chosen: Readonly<Record<string, Record<string, unknown>>> = {
      'openai-chat': { tool_choice: 'auto', parallel_tool_calls: true },
      'openai-responses': { tool_choice: 'auto', parallel_tool_calls: true },
      'anthropic-messages': { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      'gemini-generate': { toolConfig: { functionCallingConfig: { mode: 'AUTO' } } },
    };
    const { tools: _tools, ...asked } = toolBody(api.id, {});
    const carried = carry(api, format, { ...asked, ...chosen[api.id] });
    expect(JSON.stringify('body' in carried ? carried.body : {})).not.toMatch(
      /tool_choice|toolChoice|parallel_tool_calls|functionCallingConfig/,
    );
  });
});
