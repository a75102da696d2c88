import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ANSWER_PAIRS, type AnswerPair, giveAnswer } from '../support/answer-pairs.js';
import { callCore, eventsIn } from '../support/core-calls.js';
import { MemoryPorts, someOptions } from '../support/memory-ports.js';
import type { Answered } from '../support/random-answers/answered.js';
import { list, object, type Json } from '../support/strict-vendors/story.js';

const USUAL = /^[A-Za-z0-9_-]{1,64}$/;
const ofChat = (body: Json): readonly unknown[] =>
  list(body['tools']).map((tool) => object(object(tool)['function'])['name']);

/** Tool names each vendor accepts, and their places in a request. */
const VENDORS: Readonly<
  Record<string, { readonly takes: RegExp; readonly namesIn: (body: Json) => readonly unknown[] }>
> = {
  'openai-chat': { takes: USUAL, namesIn: ofChat },
  'spark-chat': { takes: USUAL, namesIn: ofChat },
  'cohere-chat': { takes: USUAL, namesIn: ofChat },
  'openai-responses': {
    takes: USUAL,
    namesIn: (body) => list(body['tools']).map((tool) => object(tool)['name']),
  },
  'anthropic-messages': {
    takes: /^[A-Za-z0-9_-]{1,128}$/,
    namesIn: (body) => list(body['tools']).map((tool) => object(tool)['name']),
  },
  'bedrock-converse': {
    takes: USUAL,
    namesIn: (body) =>
      list(object(body['toolConfig'])['tools']).map((tool) => object(object(tool)['toolSpec'])['name']),
  },
  'gemini-generate': {
    takes: /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
    namesIn: (body) =>
      list(body['tools']).flatMap((tool) =>
        list(object(tool)['functionDeclarations']).map((one) => object(one)['name']),
      ),
  },
  'baidu-chat': {
    takes: USUAL,
    namesIn: (body) => list(body['functions']).map((tool) => object(tool)['name']),
  },
  'tencent-chat': {
    takes: USUAL,
    namesIn: (body) => list(body['Tools']).map((tool) => object(object(tool)['Function'])['Name']),
  },
};

/** A caller's request with two tools, one of which was called before and one that is to be called now. */
function asked(api: string, [first, second]: readonly [string, string], stream: boolean): Json {
  const base = { model: 'gpt-test', ...(stream ? { stream } : {}) };
  const call = { id: 'call_1', type: 'function', function: { name: second, arguments: '{}' } };
  switch (api) {
    case 'chat':
      return {
        ...base,
        tools: [first, second].map((name) => ({ type: 'function', function: { name } })),
        tool_choice: { type: 'function', function: { name: first } },
        messages: [
          { role: 'user', content: 'q' },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
        ],
      };
    case 'responses':
      return {
        ...base,
        tools: [first, second].map((name) => ({ type: 'function', name, parameters: {}, strict: false })),
        tool_choice: { type: 'function', name: first },
        input: [
          { role: 'user', content: 'q' },
          { type: 'function_call', call_id: 'call_1', name: second, arguments: '{}' },
          { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
        ],
      };
    case 'messages':
      return {
        ...base,
        max_tokens: 64,
        tools: [first, second].map((name) => ({ name, input_schema: { type: 'object' } })),
        tool_choice: { type: 'tool', name: first },
        messages: [
          { role: 'user', content: 'q' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: second, input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'rain' }] },
        ],
      };
    default:
      return {
        tools: [{ functionDeclarations: [first, second].map((name) => ({ name })) }],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [first] } },
        contents: [
          { role: 'user', parts: [{ text: 'q' }] },
          { role: 'model', parts: [{ functionCall: { name: second, args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: second, response: { sky: 'rain' } } }] },
        ],
      };
  }
}

const calling = (name: string): Answered => ({
  pieces: [{ kind: 'call', name, args: { city: 'Oslo' } }],
  ending: 'done',
  usage: { fresh: 9, cached: 0, output: 9, thinking: 0 },
  step: 4,
});

/** One call whose vendor calls the first of the tools it was given. */
async function play({ api, format }: AnswerPair, names: readonly [string, string], stream: boolean) {
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  const formatId = Object.keys(VENDORS).find((id) =>
    ANSWER_PAIRS.some((pair) => pair.format === format && pair.name.endsWith(` ${id}`)),
  );
  const vendor = VENDORS[formatId ?? ''];
  let given: readonly string[] = [];
  let body = '';
  const reply = await callCore(ports, {
    dialect: api.dialect,
    path: stream ? api.path.replace('::generate', '::streamGenerate') : api.path,
    pathModel: api.pathModel,
    query: stream ? api.query : '',
    body: asked(api.name, names, stream),
    route: format.route,
    script: (exchange) => {
      body = exchange.request.body?.toString() ?? '';
      given = (vendor?.namesIn(exchange.body) ?? []).map(String);
      giveAnswer(exchange, format.write(calling(given[0] ?? '')), stream);
    },
  });
  return { reply, given, body, takes: vendor?.takes ?? /^/ };
}

/** The names of tools that an answer calls. */
function calledIn(text: string, stream: boolean): readonly unknown[] {
  const found: unknown[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('name' in value && typeof value.name === 'string' && value.name !== '') found.push(value.name);
    // Some APIs repeat the request.
    for (const [member, inner] of Object.entries(value)) if (!/^tool(?:s|_choice)$/.test(member)) look(inner);
  };
  (stream ? eventsIn(text) : [JSON.parse(text) as unknown]).forEach(look);
  return [...new Set(found)];
}

const PAIRS = ANSWER_PAIRS.filter(
  ({ frontId, name }) =>
    Object.keys(VENDORS).some((id) => name.endsWith(` ${id}`)) && !name.endsWith(` ${frontId}`),
);

const LONG = 'mcp__a_server_with_a_long_name__'.repeat(5);
const names = fc
  .tuple(
    fc.constantFrom('', 'weather', LONG, '9 lives', 'srv.look:up', 'Wetter in Zürich', '👋🏽', 'a/b'),
    fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== ''),
  )
  .map((parts) => parts.join(''));
const twoNames = fc.tuple(names, names).filter(([first, second]) => first !== second);

describe('names of tools', () => {
  it.each(PAIRS)(
    'sends them as the vendor takes them and gives them back as they were: $name',
    async (pair) => {
      await fc.assert(
        fc.asyncProperty(twoNames, fc.boolean(), async (two, stream) => {
          const { reply, given, body, takes } = await play(pair, two, stream);
          expect({ status: reply.status, said: reply.status === 200 ? '' : reply.text }).toEqual({
            status: 200,
            said: '',
          });
          // Cohere is given only the tool that has to be called.
          expect(given).toHaveLength(pair.name.endsWith(' cohere-chat') ? 1 : 2);
          expect(new Set(given).size).toBe(given.length);
          for (const [at, name] of given.entries()) {
            expect(name).toMatch(takes);
            if (takes.test(two[at] ?? '')) expect(name).toBe(two[at]);
            // Neither allowed tools nor earlier turns name a tool the vendor does not know.
            else expect(body).not.toContain(`:${JSON.stringify(two[at])}`);
          }
          const answersInWords = pair.name.endsWith(' baidu-chat');
          expect(calledIn(reply.text, stream)).toEqual(answersInWords ? [] : [two[0]]);
          const again = await play(pair, [two[0], `${two[1]}, another`], stream);
          expect(again.given[0]).toBe(given[0]);
        }),
        { numRuns: 25, seed: 31 },
      );
    },
  );

  it('reaches a vendor of the caller’s own API with them as they are', async () => {
    const own = ANSWER_PAIRS.find(({ name }) => name === 'openai-chat ← openai-chat');
    if (own === undefined) throw new Error('no such pair');
    expect((await play(own, [LONG, 'a b'], false)).given).toEqual([LONG, 'a b']);
  });
});
