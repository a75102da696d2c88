import { describe, expect, it } from '@jest/globals';
import { ANSWER, MESSAGE, RESPONSE, sentTo } from '../support/sent-to.js';
import { list, object, type Json } from '../support/strict-vendors/story.js';

const q = { role: 'user', content: 'q' };
const SEALED = `gAAAAABo${'x'.repeat(80)}`;
const agentMessage = (...content: readonly Json[]): Json => ({
  type: 'agent_message',
  author: '/root',
  recipient: '/root/worker',
  content,
});
const task = { type: 'input_text', text: 'NEW_TASK' };
const GEMINI: Json = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
};
/** Vendors that do not know what OpenAI alone has, and their answers to a call of Responses. */
const OTHERS: readonly (readonly [string, number, Json])[] = [
  ['a chat', 1, ANSWER],
  ['Mistral', 42, ANSWER],
  ['Anthropic', 14, MESSAGE],
  ['Gemini', 24, GEMINI],
  ['xAI, by its Responses address', 48, RESPONSE],
  ['DeepSeek, by its Responses address', 43, RESPONSE],
  ['DashScope, by its Responses address', 17, RESPONSE],
];

describe.each(OTHERS)('messages between agents of Codex, for %s', (_name, type, answer) => {
  const send = (input: readonly Json[]): ReturnType<typeof sentTo> =>
    sentTo(type, 'responses', { input }, { answer });

  it('become turns of the user', async () => {
    const { text, warnings } = await send([q, agentMessage(task), q]);
    expect(text).toContain('Message from /root to /root/worker:\\nNEW_TASK');
    expect(text).not.toContain('agent_message');
    expect(warnings).toBe('');
  });

  it('bring the plain words of a model that seals nothing', async () => {
    const { text } = await send([
      q,
      agentMessage(task, { type: 'encrypted_content', encrypted_content: 'List the files.' }),
    ]);
    expect(text).toContain('NEW_TASK\\nList the files.');
  });

  it('lose what another vendor sealed, with a note and a warning', async () => {
    const { text, warnings } = await send([
      q,
      agentMessage(task, { type: 'encrypted_content', encrypted_content: SEALED }),
      q,
    ]);
    expect(text).not.toContain(SEALED);
    expect(text).toContain('sealed it alone');
    expect(warnings).toContain('input');
  });
});

it('messages between agents reach OpenAI as they came', async () => {
  const input = [q, agentMessage(task, { type: 'encrypted_content', encrypted_content: SEALED })];
  const { body, warnings } = await sentTo(1, 'responses', { input }, { baseUrl: '', answer: RESPONSE });
  expect(body['input']).toEqual(input);
  expect(warnings).toBe('');
});

describe('calls by which Codex directs its agents', () => {
  const agents = ['spawn_agent', 'send_message', 'followup_task', 'wait_agent'];
  const tools = [
    {
      type: 'namespace',
      name: 'collaboration',
      tools: agents.map((name) => ({
        type: 'function',
        name,
        parameters: { type: 'object', properties: {} },
      })),
    },
  ];
  const called = (name: string): Json => ({
    ...ANSWER,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: '{"message":"do"}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  });
  const callOf = async (name: string): Promise<Json> => {
    const answer = called(`collaboration__${name}`);
    const { reply } = await sentTo(1, 'responses', { input: [q], tools }, { answer });
    return object(list((JSON.parse(reply) as Json)['output'])[0]);
  };

  it.each(agents.slice(0, 3))('carry the mark of plain words: %s', async (name) => {
    expect(await callOf(name)).toMatchObject({
      namespace: 'collaboration',
      name,
      encrypted_function_args: [],
    });
  });

  it('bear no mark where they carry no words', async () => {
    expect(await callOf('wait_agent')).not.toHaveProperty('encrypted_function_args');
  });
});

describe.each(OTHERS)('tools that Codex brings inside its input, for %s', (_name, type, answer) => {
  const parameters = { type: 'object', properties: {} };
  const item = {
    type: 'additional_tools',
    role: 'developer',
    id: 'at_1',
    tools: [
      {
        type: 'namespace',
        name: 'functions',
        tools: [{ type: 'custom', name: 'exec', description: 'Run it' }],
      },
      { type: 'function', name: 'look', parameters },
    ],
  };

  it.each([
    ['alone', {}],
    ['beside others', { tools: [{ type: 'function', name: 'first', parameters }] }],
  ])('become tools of the call: %s', async (_case, more) => {
    const { text } = await sentTo(type, 'responses', { input: [item, q], ...more }, { answer });
    for (const name of ['functions__exec', 'look', ...('tools' in more ? ['first'] : [])])
      expect(text).toContain(`"${name}"`);
    expect(text).not.toContain('additional_tools');
    expect(text).not.toContain('"instructions":""');
  });
});

it('tools inside the input reach OpenAI, and hosts that hand on to it, as they came', async () => {
  const input = [
    { type: 'additional_tools', role: 'developer', tools: [{ type: 'custom', name: 'exec' }] },
    q,
  ];
  for (const [type, route] of [
    [1, { baseUrl: '' }],
    [8, { baseUrl: 'https://own.example/v1/responses', upstreamModel: 'gpt-5.1' }],
  ] as const) {
    const { body } = await sentTo(type, 'responses', { input }, { ...route, answer: RESPONSE });
    expect(body['input']).toEqual(input);
  }
});

it('a call of such a tool keeps its namespace', async () => {
  const item = {
    type: 'additional_tools',
    role: 'developer',
    tools: [
      {
        type: 'namespace',
        name: 'mcp__a',
        tools: [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }],
      },
    ],
  };
  const message = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'mcp__a__look', arguments: '{}' } }],
  };
  const answer = { ...ANSWER, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
  const { reply } = await sentTo(1, 'responses', { input: [item, q] }, { answer });
  const [called] = list((JSON.parse(reply) as Json)['output']);
  expect(called).toMatchObject({ type: 'function_call', namespace: 'mcp__a', name: 'look' });
});

describe('summaries of earlier turns', () => {
  const sealed = { type: 'compaction', id: 'cmp_1', encrypted_content: SEALED };
  const context_management = [{ type: 'compaction', compact_threshold: 1000 }];

  it.each(OTHERS.slice(0, 4))('sealed by OpenAI, become a note for %s', async (_name, type, answer) => {
    for (const item of [sealed, { ...sealed, type: 'compaction_summary' }]) {
      const { text, warnings } = await sentTo(
        type,
        'responses',
        { input: [q, item, q], context_management },
        { answer },
      );
      expect(text).not.toContain(SEALED);
      expect(text).toContain('sealed its summary');
      expect(warnings).toContain('input');
      expect(warnings).toContain('context_management');
    }
  });

  it('sealed by OpenAI, reach it as they came', async () => {
    const asked = { input: [q, sealed, q], context_management };
    const { body } = await sentTo(1, 'responses', asked, { baseUrl: '', answer: RESPONSE });
    expect(body).toMatchObject(asked);
  });

  const summarised = {
    messages: [
      { role: 'user', content: 'old words' },
      {
        role: 'assistant',
        content: [
          { type: 'compaction', content: 'THE SUMMARY' },
          { type: 'text', text: 'after' },
        ],
      },
      q,
    ],
    context_management: { edits: [{ type: 'compact_20260112' }] },
  };

  it.each([
    ['a chat', 1, ANSWER],
    ['Gemini', 24, GEMINI],
    ['DeepSeek', 43, MESSAGE],
    ['Zhipu', 26, MESSAGE],
    ['MiniMax', 35, MESSAGE],
    ['Moonshot', 25, MESSAGE],
  ] as const)('become words where Claude wrote them, for %s', async (_name, type, answer) => {
    const { text } = await sentTo(type, 'messages', summarised, { answer });
    expect(text).toContain('THE SUMMARY');
    expect(text).not.toContain('old words');
    expect(text).not.toContain('"compaction"');
  });

  it('written by Claude, stay blocks for Claude', async () => {
    const { body } = await sentTo(14, 'messages', summarised, {
      upstreamModel: 'claude-sonnet-4-5',
      answer: MESSAGE,
    });
    expect(body['messages']).toEqual(summarised.messages);
  });
});

describe('a choice of tools without tools', () => {
  it.each([1, 48, 42, 26, 43])('leaves a chat, type %i', async (type) => {
    const messages = [q];
    for (const asked of [
      { tool_choice: 'auto' },
      { tools: [], tool_choice: 'none', parallel_tool_calls: true },
    ]) {
      const { body, warnings } = await sentTo(type, 'chat', { messages, ...asked });
      for (const name of ['tools', 'tool_choice', 'parallel_tool_calls'])
        expect(body).not.toHaveProperty(name);
      expect(warnings).toBe('');
    }
  });

  it('appears in the warnings where it was forced', async () => {
    const { body, warnings } = await sentTo(1, 'chat', { messages: [q], tool_choice: 'required' });
    expect(body).not.toHaveProperty('tool_choice');
    expect(warnings).toBe('tool_choice');
  });

  it('leaves Responses and Messages, and stays beside a stored prompt', async () => {
    const responses = { answer: RESPONSE };
    const compact = { input: [q], tools: [], tool_choice: 'auto', parallel_tool_calls: false };
    const { body } = await sentTo(48, 'responses', compact, responses);
    expect(Object.keys(body).sort()).toEqual(['input', 'model']);
    const stored = { input: [q], prompt: { id: 'p' }, tool_choice: 'required' };
    const route = { ...responses, baseUrl: '', settings: { vendor: { allow_foreign_ids: true } } };
    expect((await sentTo(1, 'responses', stored, route)).body).toHaveProperty('tool_choice');
    const messages = { messages: [q], tool_choice: { type: 'auto' } };
    expect((await sentTo(26, 'messages', messages, { answer: MESSAGE })).body).not.toHaveProperty(
      'tool_choice',
    );
  });
});

/** https://github.com/lidge-jun/opencodex/pull/3394, https://github.com/NousResearch/hermes-agent/pull/23435 (read 2026-11-30). */
describe('an effort that xAI does not know, where the bytes pass', () => {
  it.each([
    ['grok-4.5', 'xhigh', 'high'],
    ['grok-4.5', 'max', 'high'],
    ['grok-4.5', 'minimal', 'low'],
    ['grok-4.5', 'medium', 'medium'],
    ['grok-4.5', 'none', 'none'],
    ['grok-4-0709', 'high', undefined],
    ['grok-code-fast-1', 'low', undefined],
  ])('%s, %s', async (upstreamModel, effort, left) => {
    const asked = { input: [q], reasoning: { effort, summary: 'auto' } };
    const { body, warnings } = await sentTo(48, 'responses', asked, { upstreamModel, answer: RESPONSE });
    expect(body['reasoning']).toEqual({ summary: 'auto', ...(left === undefined ? {} : { effort: left }) });
    expect(warnings).toBe(effort === left ? '' : 'reasoning.effort');
  });
});
