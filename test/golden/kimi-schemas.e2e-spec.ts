import { describe, expect, it } from '@jest/globals';
import { ANSWER, MESSAGE, sentTo } from '../support/sent-to.js';
import { list, object, type Json } from '../support/strict-vendors/story.js';

/** Faults of a schema by the rules of Moonshot, as its errors in public threads show them. */
function faultsOf(schema: unknown, path = 'root'): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((one, at) => faultsOf(one, `${path}.${at}`));
  if (typeof schema !== 'object' || schema === null) return [];
  const one = schema as Json;
  const own = [
    ...('$ref' in one && !String(one['$ref']).startsWith('#/$defs/')
      ? ['references must start with #/$defs/']
      : []),
    ...('$ref' in one && Object.keys(one).length > 1
      ? ['conflicting keywords found after $ref expansion']
      : []),
    ...(Array.isArray(one['anyOf']) && 'type' in one ? ['when using anyOf, type belongs in its items'] : []),
    ...(Array.isArray(one['items']) ? ['items is a list'] : []),
  ].map((fault) => `At path '${path}': ${fault}`);
  const named = Object.entries(one).flatMap(([name, value]) => {
    if (name === 'properties' || name === '$defs')
      return Object.entries(object(value)).flatMap(([key, each]) => faultsOf(each, `${path}.${name}.${key}`));
    return faultsOf(value, `${path}.${name}`);
  });
  return [...own, ...named];
}

const SCHEMAS: Readonly<Record<string, Json>> = {
  'a reference with neighbours': {
    type: 'object',
    properties: { v: { $ref: '#/$defs/value', type: 'object', description: 'x' } },
    $defs: { value: { type: 'object', properties: { a: { type: 'string' } } } },
  },
  'a reference outside the definitions': {
    type: 'object',
    properties: { seen: { type: 'number' }, d: { $ref: '#/properties/seen' } },
  },
  'a reference to itself': {
    type: 'object',
    properties: { node: { $ref: '#/$defs/node' } },
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
  },
  'a type beside anyOf': {
    type: 'object',
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
    properties: { a: { type: 'string', anyOf: [{ minLength: 1 }, { enum: ['x'] }] }, b: { type: 'string' } },
  },
  'a tuple': {
    type: 'object',
    properties: { t: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
  },
  'names of keywords': {
    type: 'object',
    properties: {
      anyOf: { type: 'array', items: { type: 'string' } },
      items: { type: 'string' },
      type: { type: 'string' },
    },
  },
};

describe.each(Object.entries(SCHEMAS))('a tool of Moonshot with %s', (name, parameters) => {
  const check = (tool: Json, member: string): void => {
    const schema = tool[member];
    expect(faultsOf(schema)).toEqual([]);
    expect(Object.keys(object(object(schema)['properties'])).sort()).toEqual(
      Object.keys(object(parameters['properties'])).sort(),
    );
    if (name === 'names of keywords') expect(schema).toEqual(parameters);
  };

  it('fits where a chat passes', async () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters } }];
    const { body } = await sentTo(25, 'chat', { tools }, { upstreamModel: 'kimi-k3', answer: ANSWER });
    check(object(object(list(body['tools'])[0])['function']), 'parameters');
  });

  it('fits where Messages pass', async () => {
    const tools = [{ name: 'f', input_schema: parameters }];
    const { body } = await sentTo(25, 'messages', { tools }, { upstreamModel: 'kimi-k3', answer: MESSAGE });
    check(object(list(body['tools'])[0]), 'input_schema');
  });

  it('fits where Responses are translated', async () => {
    const tools = [{ type: 'function', name: 'f', parameters }];
    const { body } = await sentTo(25, 'responses', { tools }, { upstreamModel: 'kimi-k3', answer: ANSWER });
    check(object(object(list(body['tools'])[0])['function']), 'parameters');
  });
});

it('a schema without such forms stays as it came', async () => {
  const tools = [
    { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } },
  ];
  const { body } = await sentTo(25, 'chat', { tools }, { upstreamModel: 'kimi-k3', answer: ANSWER });
  expect(body['tools']).toEqual(tools);
});

it('entries of reasoning go back to Moonshot without the index of their stream', async () => {
  const entries = [
    { type: 'summary', summary: 's' },
    { type: 'encrypted', encrypted: 'e' },
  ];
  const messages = [
    { role: 'user', content: 'q' },
    {
      role: 'assistant',
      content: 'a',
      reasoning_details: entries.map((entry, index) => ({ index, ...entry })),
    },
    { role: 'user', content: 'r' },
  ];
  const { body } = await sentTo(25, 'chat', { messages }, { upstreamModel: 'kimi-k3', answer: ANSWER });
  expect(object(list(body['messages'])[1])['reasoning_details']).toEqual(entries);
});

describe.each(['chat', 'messages', 'responses'])(
  'a tool whose name begins with a digit, from callers of %s',
  (api) => {
    it('has another name at Moonshot, and its own in the answer', async () => {
      const name = '21st_magic';
      const schema = { type: 'object', properties: {} };
      const tool = {
        chat: { type: 'function', function: { name, parameters: schema } },
        messages: { name, input_schema: schema },
        responses: { type: 'function', name, parameters: schema },
      }[api];
      const isMessages = api === 'messages';
      const { body } = await sentTo(25, api, { tools: [tool] }, { answer: isMessages ? MESSAGE : ANSWER });
      const sent = object(list(body['tools'])[0]);
      const vendors = String(sent['name'] ?? object(sent['function'])['name']);
      expect(vendors).toMatch(/^_21st_magic_[0-9a-f]{10}$/);
      const call = { id: 'c', type: 'function', function: { name: vendors, arguments: '{}' } };
      const answer = isMessages
        ? {
            ...MESSAGE,
            content: [{ type: 'tool_use', id: 'c', name: vendors, input: {} }],
            stop_reason: 'tool_use',
          }
        : {
            ...ANSWER,
            choices: [
              {
                index: 0,
                message: { role: 'assistant', content: null, tool_calls: [call] },
                finish_reason: 'tool_calls',
              },
            ],
          };
      const { reply } = await sentTo(25, api, { tools: [tool] }, { answer });
      expect(reply).toContain(`"${name}"`);
      expect(reply).not.toContain(vendors);
    });
  },
);
