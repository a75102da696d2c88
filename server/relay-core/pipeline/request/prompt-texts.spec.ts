import { describe, expect, it } from '@jest/globals';
import { DIALECTS } from '../../dialects/registry.js';
import type { DialectRoute } from '../../dialects/dialect.js';
import type { Operation } from '../../model/operation.js';
import { promptTexts } from './prompt-texts.js';
import { WordFilter } from './word-filter.js';

const WORD = 'forbiddenword';
const ENCODED = Buffer.from(`a ${WORD}`).toString('base64');
const filter = new WordFilter([WORD]);

function routeTo(path: string): DialectRoute {
  const routes: readonly DialectRoute[] = DIALECTS.flatMap((dialect) => dialect.routes);
  const route = routes.find((one) => one.path === path || one.path.endsWith(path));
  if (route === undefined) throw new Error(`nothing answers ${path}`);
  return route;
}

/** Returns true when a request at an address has the word at any searched place. */
function isFound(path: string, body: object): boolean {
  const { apiFormat } = routeTo(path);
  const target = { path, pathModel: path.startsWith(':') ? 'm' : undefined, query: '', headers: {} };
  const parsed = apiFormat.parseCall(Buffer.from(JSON.stringify(body)), target);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const request = parsed.value.neutral();
  if (!request.ok) throw new Error(request.error.message);
  const texts: Iterable<string> = promptTexts<Operation>(parsed.value, request.value);
  return [...texts].some((text) => filter.find(text) !== -1);
}

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const MESSAGES = '/v1/messages';
const GENERATE = ':generateContent';
const ask = [{ role: 'user', content: 'x' }];
const contents = [{ parts: [{ text: 'x' }] }];

describe('words nobody may send are found', () => {
  it.each<[string, string, object]>([
    ['a message', CHAT, { messages: [{ role: 'user', content: WORD }] }],
    [
      'two parts of a message that say it together',
      CHAT,
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'forbidden' },
              { type: 'text', text: 'word' },
            ],
          },
        ],
      },
    ],
    ['the result of a tool', CHAT, { messages: [{ role: 'tool', tool_call_id: 'a', content: WORD }] }],
    [
      'arguments written with escapes',
      CHAT,
      {
        messages: [
          {
            role: 'assistant',
            tool_calls: [
              {
                id: 'a',
                type: 'function',
                function: { name: 'f', arguments: '{"a":"\\u0066orbiddenword"}' },
              },
            ],
          },
        ],
      },
    ],
    [
      'the description of a tool',
      CHAT,
      { messages: ask, tools: [{ type: 'function', function: { name: 'f', description: WORD } }] },
    ],
    [
      'a property of a tool',
      CHAT,
      {
        messages: ask,
        tools: [{ type: 'function', function: { name: 'f', parameters: { properties: { [WORD]: {} } } } }],
      },
    ],
    [
      'the schema of the answer',
      CHAT,
      {
        messages: ask,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'a', schema: { type: 'object', description: WORD } },
        },
      },
    ],
    ['a prediction', CHAT, { messages: ask, prediction: { type: 'content', content: WORD } }],
    [
      'a text file',
      CHAT,
      {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'file',
                file: { filename: 'a.txt', file_data: `data:text/plain;base64,${ENCODED}` },
              },
            ],
          },
        ],
      },
    ],
    ['a list of prompts', '/v1/completions', { prompt: ['a', WORD] }],
    ['what a completion is to end in', '/v1/completions', { prompt: 'a', suffix: WORD }],
    ['instructions', RESPONSES, { input: 'x', instructions: WORD }],
    ['an item only one vendor knows', RESPONSES, { input: [{ type: 'odd', text: WORD }] }],
    ['variables of a stored prompt', RESPONSES, { prompt: { id: 'p', variables: { a: WORD } } }],
    ['a system prompt', MESSAGES, { max_tokens: 9, messages: ask, system: [{ type: 'text', text: WORD }] }],
    [
      'a document',
      MESSAGES,
      {
        max_tokens: 9,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'document', source: { type: 'content', content: [{ type: 'text', text: WORD }] } },
            ],
          },
        ],
      },
    ],
    [
      'a tool of Claude',
      MESSAGES,
      { max_tokens: 9, messages: ask, tools: [{ name: 'a', description: WORD }] },
    ],
    ['a system instruction', GENERATE, { contents, system_instruction: { parts: [{ text: WORD }] } }],
    [
      'a text file of Gemini',
      GENERATE,
      { contents: [{ parts: [{ inlineData: { mimeType: 'text/plain', data: ENCODED } }] }] },
    ],
    ['a tool of Gemini', GENERATE, { contents, tools: [{ functionDeclarations: [{ name: WORD }] }] }],
    ['a prompt for a picture', '/v1/images/generations', { prompt: WORD }],
    ['what a picture is not to show', '/v1/images/generations', { prompt: 'x', negative_prompt: WORD }],
    ['a text to speak', '/v1/audio/speech', { input: WORD, voice: 'a' }],
    ['a document to rank', '/v1/rerank', { query: 'q', documents: [{ title: WORD, text: 'x' }] }],
  ])('finds them in %s', (_name, path, body) => {
    expect(isFound(path, { ...(path === GENERATE ? {} : { model: 'm' }), ...body })).toBe(true);
  });

  it.each<[string, string, object]>([
    ['what is to be judged', '/v1/moderations', { model: 'm', input: WORD }],
    [
      'the bytes of a picture',
      CHAT,
      {
        model: 'm',
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${WORD}` } }],
          },
        ],
      },
    ],
    [
      'the signature of a thought',
      MESSAGES,
      {
        model: 'm',
        max_tokens: 9,
        messages: [
          ...ask,
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: WORD }] },
        ],
      },
    ],
    ['the name of a user', CHAT, { model: 'm', messages: ask, user: WORD }],
  ])('finds none in %s', (_name, path, body) => {
    expect(isFound(path, body)).toBe(false);
  });
});
