import { describe, expect, it } from '@jest/globals';
import { ANSWER_TOOL } from './answer-tool.js';
import { anthropicMessages } from './index.js';
import { write, warningsOf, aRequest } from '../../../../test/support/fixtures/anthropic-requests.fixture.js';

describe('a request in another format', () => {
  it('becomes a conversation this vendor takes', () => {
    const written = write(
      aRequest({
        messages: [
          { role: 'system', content: [{ type: 'text', text: 'S1' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'Welcome' }] },
          { role: 'user', content: [{ type: 'text', text: '' }] },
          { role: 'user', content: [{ type: 'text', text: 'One' }] },
          { role: 'developer', content: [{ type: 'text', text: 'S2' }] },
          { role: 'user', content: [{ type: 'text', text: 'Two' }] },
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: 'private' },
              { type: 'tool-call', callId: 'call.1:é', name: 'f', json: '{"a":1}' },
              { type: 'tool-call', callId: 'call_2', name: 'g', json: '' },
            ],
          },
          { role: 'tool', callId: 'call_2', content: [] },
          { role: 'user', content: [{ type: 'text', text: 'and' }] },
          { role: 'tool', callId: 'call.1:é', content: [{ type: 'text', text: 'one' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'The answer is: \n' }] },
        ],
      }),
    );
    expect(written['system']).toEqual([
      { type: 'text', text: 'S1' },
      { type: 'text', text: 'S2' },
    ]);
    expect(written['messages']).toEqual([
      { role: 'user', content: '...' },
      { role: 'assistant', content: 'Welcome' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One' },
          { type: 'text', text: 'Two' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_1__', name: 'f', input: { a: 1 } },
          { type: 'tool_use', id: 'call_2', name: 'g', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_2' },
          { type: 'tool_result', tool_use_id: 'call_1__', content: 'one' },
          { type: 'text', text: 'and' },
        ],
      },
      { role: 'assistant', content: 'The answer is:' },
    ]);
  });

  it('answers calls without a result, and makes text of results without a call', () => {
    const request = aRequest({
      messages: [
        { role: 'tool', callId: 'lost', content: [{ type: 'text', text: 'orphan' }] },
        { role: 'assistant', content: [{ type: 'tool-call', callId: 'a', name: 'f', json: '{}' }] },
        { role: 'assistant', content: [{ type: 'tool-call', callId: 'b', name: 'f', json: '{}' }] },
        { role: 'user', content: [{ type: 'text', text: 'never mind' }] },
      ],
    });
    expect(write(request)['messages']).toEqual([
      { role: 'user', content: 'orphan' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'f', input: {} },
          { type: 'tool_use', id: 'b', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'The tool gave no result.', is_error: true },
          { type: 'tool_result', tool_use_id: 'b', content: 'The tool gave no result.', is_error: true },
          { type: 'text', text: 'never mind' },
        ],
      },
    ]);
    expect(warningsOf(request)).toEqual(['messages', 'messages']);
  });

  it('pairs the oldest form of calls by name', () => {
    const { messages } = write(
      aRequest({
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'a' }] },
          { role: 'assistant', content: [{ type: 'tool-call', callId: '', name: 'f', json: '{}' }] },
          { role: 'tool', callId: '', name: 'f', content: [{ type: 'text', text: 'r' }] },
        ],
      }),
    ) as { messages: { content: { id?: string; tool_use_id?: string }[] }[] };
    expect(messages[1]?.content[0]?.id).toBe(messages[2]?.content[0]?.tool_use_id);
  });

  it.each([
    [
      'a picture without a type',
      { kind: 'base64', base64: '/9j/4A', mediaType: undefined },
      { type: 'base64', media_type: 'image/jpeg', data: '/9j/4A' },
    ],
    [
      'image/jpg',
      { kind: 'base64', base64: 'x', mediaType: 'image/jpg' },
      { type: 'base64', media_type: 'image/jpeg', data: 'x' },
    ],
    [
      'an address',
      { kind: 'url', url: 'https://a.example/x.png' },
      { type: 'url', url: 'https://a.example/x.png' },
    ],
  ] as const)('shows pictures: %s', (_name, source, written) => {
    const body = write(aRequest({ messages: [{ role: 'user', content: [{ type: 'image', source }] }] }));
    expect(body['messages']).toEqual([{ role: 'user', content: [{ type: 'image', source: written }] }]);
  });

  it('shows documents: PDF, text, a picture that was called a file', () => {
    const content = [
      { type: 'file', fileName: 'a.pdf', source: { kind: 'base64', base64: 'JVBERi', mediaType: undefined } },
      { type: 'file', source: { kind: 'base64', base64: 'SGk=', mediaType: 'text/markdown' } },
      { type: 'file', source: { kind: 'base64', base64: 'x', mediaType: 'image/png' } },
    ] as const;
    const { messages } = write(aRequest({ messages: [{ role: 'user', content }] })) as {
      messages: { content: unknown }[];
    };
    expect(messages[0]?.content).toEqual([
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi' },
        title: 'a.pdf',
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hi' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'x' } },
    ]);
  });

  it('refuses what cannot be asked for, before anything is sent', () => {
    const sound = { type: 'audio', source: { kind: 'base64', base64: 'x', mediaType: 'audio/wav' } } as const;
    expect(anthropicMessages.refuseRequest?.(aRequest({ choices: 2 }))).toMatchObject({ param: 'n' });
    expect(
      anthropicMessages.refuseRequest?.(aRequest({ messages: [{ role: 'user', content: [sound] }] })),
    ).toMatchObject({ kind: 'invalid-request', param: 'messages' });
    expect(anthropicMessages.refuseRequest?.(aRequest())).toBeUndefined();
  });

  it('carries tools, choices and searches', () => {
    const written = write(
      aRequest({
        tools: [
          {
            type: 'function',
            name: 'f',
            description: 'F',
            parameters: { properties: { a: {} } },
            isStrict: true,
          },
          { type: 'function', name: 'g' },
          { type: 'web-search', contextSize: 'medium', location: { country: 'DE', city: 'Köln' } },
          { type: 'vendor', apiFormat: 'other', value: {} },
        ],
        toolChoice: { type: 'named', name: 'f' },
        parallelToolCalls: false,
      }),
    );
    expect(written['tools']).toEqual([
      {
        name: 'f',
        description: 'F',
        input_schema: { type: 'object', properties: { a: {} }, additionalProperties: false },
        strict: true,
      },
      { name: 'g', input_schema: { type: 'object', properties: {} } },
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: 5,
        user_location: { type: 'approximate', country: 'DE', city: 'Köln' },
      },
    ]);
    expect(written['tool_choice']).toEqual({ type: 'tool', name: 'f', disable_parallel_tool_use: true });
  });

  it('holds a tool strictly by a schema its decoder takes', () => {
    const parameters = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1 }, l: { type: 'array', minItems: 3, items: {} } },
      required: ['n', 'l'],
    };
    const tools = [{ type: 'function', name: 'f', parameters, isStrict: true }] as const;
    expect(write(aRequest({ tools }))['tools']).toMatchObject([
      {
        input_schema: {
          properties: {
            n: { type: 'integer', description: '(minimum: 1)' },
            l: { type: 'array', items: {}, description: '(minItems: 3)' },
          },
          additionalProperties: false,
        },
      },
    ]);
    const loose = [{ type: 'function', name: 'f', parameters }] as const;
    expect(write(aRequest({ tools: loose }))['tools']).toMatchObject([{ input_schema: parameters }]);
  });

  it.each([
    [{ type: 'required' }, { type: 'any' }],
    [{ type: 'none' }, { type: 'none' }],
    [{ type: 'auto' }, { type: 'auto' }],
  ] as const)('carries the choice %j', (toolChoice, choice) => {
    expect(write(aRequest({ tools: [{ type: 'function', name: 'g' }], toolChoice }))['tool_choice']).toEqual(
      choice,
    );
  });

  it('keeps at most four cache marks: the last', () => {
    const content = [1, 2, 3, 4, 5, 6].map(
      (n) => ({ type: 'text', text: `t${n}`, cache: { ttl: undefined } }) as const,
    );
    const { messages } = write(aRequest({ messages: [{ role: 'user', content }] })) as {
      messages: { content: object[] }[];
    };
    expect(messages[0]?.content.map((block) => 'cache_control' in block)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it('asks for structured answers natively, with a schema the decoder takes', () => {
    const schema = {
      type: 'object',
      properties: {
        age: { type: 'integer', minimum: 0, description: 'Years.' },
        of: { oneOf: [{ type: 'string', format: 'phone' }, { $ref: '#/$defs/x' }] },
      },
      $defs: { x: { type: 'object', properties: {} } },
    };
    const { output_config } = write(aRequest({ responseFormat: { type: 'json-schema', name: 'p', schema } }));
    expect(output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          additionalProperties: false,
          properties: {
            age: { type: 'integer', description: 'Years. (minimum: 0)' },
            of: { anyOf: [{ type: 'string', description: '(format: "phone")' }, { $ref: '#/$defs/x' }] },
          },
          $defs: { x: { type: 'object', properties: {}, additionalProperties: false } },
        },
      },
    });
  });

  it('asks older models for structured answers by a tool', () => {
    const responseFormat = { type: 'json-schema', name: 'p', schema: { properties: {} } } as const;
    const written = write(aRequest({ responseFormat }), { upstreamModel: 'claude-sonnet-4-20250514' });
    expect(written['tools']).toMatchObject([
      { name: ANSWER_TOOL, input_schema: { type: 'object', properties: {} } },
    ]);
    expect(written['tool_choice']).toMatchObject({ type: 'tool', name: ANSWER_TOOL });
    expect(written).not.toHaveProperty('output_config');
    const beside = write(aRequest({ responseFormat, tools: [{ type: 'function', name: 'g' }] }), {
      upstreamModel: 'claude-sonnet-4-20250514',
    });
    expect(beside['tool_choice']).toEqual({ type: 'any' });
  });

  it('drops what the vendor would refuse, and warns', () => {
    const request = aRequest({
      temperature: 1.7,
      topP: 0.5,
      frequencyPenalty: 1,
      seed: 3,
      stop: ['END', '\n\n'],
      maxOutputTokens: 90_000,
      responseFormat: { type: 'json' },
      vendorOptions: { 'openai-chat': { logit_bias: {} } },
    });
    const written = write(request);
    expect(written).toMatchObject({ temperature: 1, stop_sequences: ['END'], max_tokens: 64_000 });
    expect(written).not.toHaveProperty('top_p');
    expect(warningsOf(request)).toEqual([
      'logit_bias',
      'frequency_penalty',
      'seed',
      'response_format',
      'max_tokens',
      'temperature',
      'top_p',
      'stop',
    ]);
  });

  it('sends no sampling settings to models that refuse them', () => {
    const written = write(aRequest({ temperature: 0.3, topP: 0.9, topK: 5 }), {
      upstreamModel: 'claude-opus-4-8',
    });
    for (const name of ['temperature', 'top_p', 'top_k']) expect(written).not.toHaveProperty(name);
    expect(write(aRequest({ temperature: 0, topK: 5 }))).toMatchObject({ temperature: 0, top_k: 5 });
  });
});
