import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../../model/chat.js';
import { bedrockConverse } from './index.js';
import {
  CLAUDE_3,
  neutralOf,
  write,
  writeBody,
  TOOL,
  CALL,
} from '../../../../../test/support/fixtures/bedrock-requests.fixture.js';

const MISTRAL = 'mistral.mistral-large-2407-v1:0';

describe('requests of Converse', () => {
  it('puts instructions apart, merges neighbours of one role, and names neither model nor streaming', () => {
    const { body } = writeBody({
      stream: true,
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'developer', content: 'be kind' },
        { role: 'user', content: 'one' },
        { role: 'user', content: 'two' },
        { role: 'assistant', content: 'three' },
        { role: 'user', content: 'four' },
      ],
    });
    expect(body).toEqual({
      system: [{ text: 'be brief' }, { text: 'be kind' }],
      messages: [
        { role: 'user', content: [{ text: 'one' }, { text: 'two' }] },
        { role: 'assistant', content: [{ text: 'three' }] },
        { role: 'user', content: [{ text: 'four' }] },
      ],
    });
  });

  it('puts a turn of the user before an answer that begins the conversation, and trims an answer to go on with', () => {
    const { body } = writeBody({ messages: [{ role: 'assistant', content: 'Once upon  ' }] });
    expect(body['messages']).toEqual([
      { role: 'user', content: [{ text: '...' }] },
      { role: 'assistant', content: [{ text: 'Once upon' }] },
    ]);
  });

  it('leaves blank texts out, which the vendor refuses', () => {
    const { body } = writeBody({
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: ' \n' },
        { role: 'user', content: 'r' },
      ],
    });
    expect(body['messages']).toEqual([{ role: 'user', content: [{ text: 'q' }, { text: 'r' }] }]);
  });

  it('carries parallel calls and their results, a failed one as failed', () => {
    const request = neutralOf({
      tools: [TOOL],
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'let me see', tool_calls: [CALL, { ...CALL, id: 'call_2' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
        { role: 'tool', tool_call_id: 'call_2', content: '' },
      ],
    });
    const failed: ChatRequest = {
      ...request,
      messages: request.messages.map((message) =>
        message.role === 'tool' && message.callId === 'call_2' ? { ...message, isError: true } : message,
      ),
    };
    expect(write(failed).body['messages']).toEqual([
      { role: 'user', content: [{ text: 'q' }] },
      {
        role: 'assistant',
        content: [
          { text: 'let me see' },
          { toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Oslo' } } },
          { toolUse: { toolUseId: 'call_2', name: 'weather', input: { city: 'Oslo' } } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'call_1', content: [{ text: 'rain' }] } },
          { toolResult: { toolUseId: 'call_2', content: [], status: 'error' } },
        ],
      },
    ]);
  });

  it('gives Mistral ids of nine characters, the same for the call and its result', () => {
    const { body } = writeBody(
      {
        tools: [TOOL],
        messages: [
          { role: 'user', content: 'q' },
          { role: 'assistant', tool_calls: [CALL] },
          { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
        ],
      },
      MISTRAL,
    );
    const ids = [...JSON.stringify(body).matchAll(/"toolUseId":"([^"]*)"/g)].map((match) => match[1]);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(ids[1]).toBe(ids[0]);
  });

  it('sends calls as text where the request brings no tools', () => {
    const { body, warnings } = writeBody({
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', tool_calls: [CALL] },
        { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('toolUse');
    expect(JSON.stringify(body)).toContain('rain');
    expect(warnings).toEqual(['messages']);
  });

  it('answers a call without its result, and writes a result without its call as text', () => {
    const { body, warnings } = writeBody({
      tools: [TOOL],
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', tool_calls: [CALL, { ...CALL, id: 'lost' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
        { role: 'tool', tool_call_id: 'unheard-of', content: 'sun' },
      ],
    });
    expect((body['messages'] as readonly unknown[]).slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Oslo' } } },
          { toolUse: { toolUseId: 'lost', name: 'weather', input: { city: 'Oslo' } } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'call_1', content: [{ text: 'rain' }] } },
          {
            toolResult: {
              toolUseId: 'lost',
              content: [{ text: 'The tool gave no result.' }],
              status: 'error',
            },
          },
          { text: 'sun' },
        ],
      },
    ]);
    expect(warnings).toEqual(['messages', 'messages']);
  });

  it('ids the vendor does not take become ones it does, the same for the call and its result', () => {
    const { body } = writeBody({
      tools: [TOOL],
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', tool_calls: [{ ...CALL, id: 'functions.weather:0' }] },
        { role: 'tool', tool_call_id: 'functions.weather:0', content: 'rain' },
      ],
    });
    const ids = [...JSON.stringify(body).matchAll(/"toolUseId":"([^"]*)"/g)].map((match) => match[1]);
    expect(ids[0]).toMatch(/^call_[0-9a-f]{24}$/);
    expect(ids[1]).toBe(ids[0]);
  });

  it.each([
    ['auto', { auto: {} }],
    ['required', { any: {} }],
    [{ type: 'function', function: { name: 'weather' } }, { tool: { name: 'weather' } }],
  ])('tool choice %j', (choice, expected) => {
    const { body } = writeBody({ tools: [TOOL], tool_choice: choice });
    expect(body['toolConfig']).toEqual({
      tools: [{ toolSpec: { name: 'weather', description: 'w', inputSchema: { json: { type: 'object' } } } }],
      toolChoice: expected,
    });
  });

  it('offers no tools when none may be called', () => {
    expect(writeBody({ tools: [TOOL], tool_choice: 'none' }).body).not.toHaveProperty('toolConfig');
  });

  it('omits a forced tool with a warning for models that do not support it', () => {
    const { body, warnings } = writeBody(
      { tools: [TOOL], tool_choice: 'required' },
      'meta.llama3-1-70b-instruct-v1:0',
    );
    expect(body['toolConfig']).not.toHaveProperty('toolChoice');
    expect(warnings).toEqual(['tool_choice']);
  });

  it('asks for a bound answer by a tool that is not one of the caller’s', () => {
    const format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } };
    const own = { type: 'function', function: { name: 'json' } };
    expect(writeBody({ response_format: format }).body['toolConfig']).toEqual({
      tools: [
        {
          toolSpec: {
            name: 'json',
            description: 'Respond with a JSON object.',
            inputSchema: { json: { type: 'object' } },
          },
        },
      ],
      toolChoice: { tool: { name: 'json' } },
    });
    expect(writeBody({ response_format: format, tools: [own] }).body['toolConfig']).toMatchObject({
      tools: [{ toolSpec: { name: 'json' } }, { toolSpec: { name: 'json_answer' } }],
      toolChoice: { any: {} },
    });
    const native = writeBody({ response_format: format }, 'us.anthropic.claude-sonnet-4-5-20250929-v1:0');
    expect(native.body['additionalModelRequestFields']).toEqual({
      output_config: {
        format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false } },
      },
    });
    expect(native.body).not.toHaveProperty('toolConfig');
    const told = writeBody({ response_format: format }, 'meta.llama3-1-70b-instruct-v1:0');
    expect(JSON.stringify(told.body['system'])).toContain('JSON schema');
  });

  it('carries settings, clamps the temperature, and warns of what has no counterpart', () => {
    const { body, warnings } = writeBody({
      max_tokens: 50,
      temperature: 1.5,
      top_p: 0.5,
      stop: ['a', ' '],
      seed: 1,
      presence_penalty: 1,
    });
    expect(body['inferenceConfig']).toEqual({
      maxTokens: 50,
      temperature: 1,
      topP: 0.5,
      stopSequences: ['a'],
    });
    expect(warnings).toEqual(['presence_penalty', 'seed', 'temperature']);
    expect(writeBody({ temperature: 0 }).body['inferenceConfig']).toEqual({ temperature: 0 });
  });

  it('refuses several answers: fewer would be another meaning', () => {
    expect(bedrockConverse.refuseRequest?.(neutralOf({ n: 2 }))).toMatchObject({
      kind: 'invalid-request',
      param: 'n',
    });
    expect(bedrockConverse.refuseRequest?.(neutralOf({}))).toBeUndefined();
  });

  it('carries pictures and files by their bytes, files under names that differ', () => {
    const pdf = (filename?: string) => ({
      type: 'file',
      file: {
        file_data: 'data:application/pdf;base64,AAAA',
        ...(filename === undefined ? {} : { filename }),
      },
    });
    const { body, warnings } = writeBody({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/' } },
            pdf('my_report: v2.pdf'),
            pdf('my_report: v2.pdf'),
            pdf(),
            { type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } },
          ],
        },
      ],
    });
    const source = { bytes: 'AAAA' };
    expect((body['messages'] as readonly { readonly content: unknown }[])[0]?.content).toEqual([
      { text: 'look' },
      { image: { format: 'jpeg', source: { bytes: '/9j/' } } },
      { document: { format: 'pdf', name: 'my report v2', source } },
      { document: { format: 'pdf', name: 'my report v2 2', source } },
      { document: { format: 'pdf', name: 'document-3', source } },
    ]);
    expect(warnings).toEqual(['messages']);
  });

  it('marks what is kept, for models that keep prompts, and warns for others', () => {
    const marked: ChatRequest = {
      ...neutralOf({ tools: [TOOL] }),
      messages: [
        { role: 'system', content: [{ type: 'text', text: 's', cache: { ttl: '1h' } }] },
        { role: 'user', content: [{ type: 'text', text: 'u', cache: { ttl: undefined } }] },
      ],
    };
    const { body } = write(marked, CLAUDE_3);
    expect(body['system']).toEqual([{ text: 's' }, { cachePoint: { type: 'default', ttl: '1h' } }]);
    expect(body['messages']).toEqual([
      { role: 'user', content: [{ text: 'u' }, { cachePoint: { type: 'default' } }] },
    ]);
    expect(write(marked, MISTRAL).warnings).toEqual(['cache_control']);
  });

  it('lets callers name a guardrail, and nothing that steers place or price', () => {
    const guardrailConfig = { guardrailIdentifier: 'g', guardrailVersion: '1' };
    const { body } = writeBody({
      guardrailConfig,
      performanceConfig: { latency: 'optimized' },
      serviceTier: { type: 'priority' },
      additionalModelRequestFields: { max_tokens: 9 },
    });
    expect(body['guardrailConfig']).toEqual(guardrailConfig);
    expect(Object.keys(body).sort()).toEqual(['guardrailConfig', 'messages']);
  });
});
