import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../model/chat.js';
import type { RequestEdits } from '../contract/api-format.js';
import { ANSWER_TOOL } from './answer-schema.js';
import { anthropicMessages } from './index.js';

type Body = Readonly<Record<string, unknown>>;

const read = (body: Body): ChatRequest => {
  const document = { model: 'claude-sonnet-4-5', max_tokens: 1_000, ...body };
  const call = anthropicMessages.parseCall(Buffer.from(JSON.stringify(document)), {
    pathModel: undefined,
    query: '',
    headers: {},
  });
  if (!call.ok) throw new Error(call.error.message);
  const neutral = call.value.neutral();
  if (!neutral.ok) throw new Error(neutral.error.message);
  return neutral.value;
};
const edits = (changes: Partial<RequestEdits> = {}): RequestEdits => ({
  upstreamModel: 'claude-sonnet-4-5',
  reportUsage: false,
  dropStreamOptions: true,
  outputCap: undefined,
  usesCompletionCap: false,
  refusedMembers: [],
  ...changes,
});
const write = (request: ChatRequest, changes: Partial<RequestEdits> = {}): Record<string, unknown> =>
  JSON.parse(anthropicMessages.writeRequest(request, edits(changes)).body.toString()) as Record<
    string,
    unknown
  >;
const warningsOf = (request: ChatRequest, changes: Partial<RequestEdits> = {}): string[] =>
  anthropicMessages.writeRequest(request, edits(changes)).warnings.map(({ setting }) => setting);
const aRequest = (changes: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  choices: 1,
  stream: false,
  wantsStreamUsage: false,
  maxOutputTokens: 8_000,
  ...changes,
});

describe('a request of this wire that is written again', () => {
  it('comes back as it was: system, caches, tools, results, thoughts, documents, unknown members', () => {
    const body = {
      model: 'claude-sonnet-4-5',
      max_tokens: 6_000,
      system: [
        { type: 'text', text: 'Be exact.' },
        { type: 'text', text: 'Long rules.', cache_control: { type: 'ephemeral', ttl: '1h' } },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look:' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
              title: 'A paper',
              citations: { enabled: true },
              cache_control: { type: 'ephemeral' },
            },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Plain.' } },
            { type: 'document', source: { type: 'file', file_id: 'file_1' } },
            {
              type: 'search_result',
              source: 'https://a.example',
              title: 'T',
              content: [{ type: 'text', text: 'Found.' }],
            },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'sig+/=' },
            { type: 'redacted_thinking', data: 'hidden' },
            { type: 'text', text: 'Two calls.' },
            { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Köln' } },
            { type: 'tool_use', id: 'toolu_2', name: 'time', input: {}, caller: { type: 'direct' } },
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
            { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: 'rain',
              cache_control: { type: 'ephemeral' },
            },
            {
              type: 'tool_result',
              tool_use_id: 'toolu_2',
              is_error: true,
              content: [
                { type: 'text', text: 'no clock' },
                { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/' } },
              ],
            },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
      tools: [
        { name: 'weather', description: 'W', input_schema: { type: 'object', properties: {} }, strict: true },
        { name: 'time', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 3, allowed_domains: ['a.example'] },
        { type: 'bash_20250124', name: 'bash' },
      ],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      metadata: { user_id: 'u-1' },
      mcp_servers: [{ type: 'url', url: 'https://mcp.example', name: 'm' }],
      container: 'c-1',
      context_management: { edits: [] },
      stream: true,
    };
    expect(write(read(body))).toEqual(body);
  });

  it('keeps effort without switching thinking on, and formats', () => {
    const format = {
      type: 'json_schema',
      schema: { type: 'object', properties: {}, additionalProperties: false },
    };
    const body = {
      messages: [{ role: 'user', content: 'Hi' }],
      output_config: { effort: 'low', format, task_budget: { type: 'tokens', total: 5 } },
    };
    const written = write(read(body), { upstreamModel: 'claude-opus-4-6' });
    expect(written['output_config']).toEqual(body.output_config);
    expect(written).not.toHaveProperty('thinking');
  });

  it('finds proofs of other families again, also those of calls, which have no field for one', () => {
    const request = read({
      messages: [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'T', signature: 'openai#rs_1#cipher' },
            { type: 'thinking', thinking: '', signature: 'next#google#mark' },
            { type: 'tool_use', id: 'c', name: 'f', input: {} },
            { type: 'thinking', thinking: '', signature: 'previous#google#late' },
          ],
        },
      ],
    });
    expect(request.messages[1]?.content).toEqual([
      { type: 'reasoning', text: 'T', proof: { by: 'openai', id: 'rs_1', data: 'cipher' } },
      { type: 'tool-call', callId: 'c', name: 'f', json: '{}', proof: { by: 'google', data: 'late' } },
    ]);
  });

  it.each([
    ['enabled', { thinking: { type: 'enabled', budget_tokens: 2_048 } }, { budgetTokens: 2_048 }],
    [
      'adaptive',
      { thinking: { type: 'adaptive', display: 'summarized' } },
      { isDynamic: true, summary: 'auto' },
    ],
    ['disabled', { thinking: { type: 'disabled' } }, { budgetTokens: 0 }],
    ['an effort', { output_config: { effort: 'max' } }, { effort: 'max' }],
  ])('says in neutral words how to think: %s', (_name, body, reasoning) => {
    expect(read({ messages: [{ role: 'user', content: 'a' }], ...body }).reasoning).toEqual(reasoning);
  });
});

describe('a request of another wire', () => {
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

  it('answers calls nobody answered, and makes text of results whose call is gone', () => {
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
      { name: 'f', description: 'F', input_schema: { type: 'object', properties: { a: {} } }, strict: true },
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

  it('drops what the vendor would refuse, and says so', () => {
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

describe('thinking', () => {
  const think = (
    reasoning: ChatRequest['reasoning'],
    upstreamModel: string,
    changes: Partial<ChatRequest> = {},
  ) => {
    const { thinking, output_config } = write(aRequest({ ...(reasoning && { reasoning }), ...changes }), {
      upstreamModel,
    });
    return [thinking, output_config];
  };

  it.each([
    [{ effort: 'low' }, 'claude-sonnet-4-5', { type: 'enabled', budget_tokens: 1_280 }, undefined],
    [{ effort: 'medium' }, 'claude-sonnet-4-5', { type: 'enabled', budget_tokens: 2_048 }, undefined],
    [{ effort: 'high' }, 'claude-sonnet-4-5', { type: 'enabled', budget_tokens: 4_096 }, undefined],
    [
      { budgetTokens: 3_000 },
      'claude-opus-4-1@20250805',
      { type: 'enabled', budget_tokens: 3_000 },
      undefined,
    ],
    [{ budgetTokens: 100 }, 'claude-opus-4-1', { type: 'enabled', budget_tokens: 1_024 }, undefined],
    [{ budgetTokens: 20_000 }, 'claude-opus-4-1', { type: 'enabled', budget_tokens: 7_744 }, undefined],
    [{ effort: 'high' }, 'anthropic.claude-opus-4-6-v1', { type: 'adaptive' }, { effort: 'high' }],
    [{ effort: 'minimal' }, 'claude-opus-4-6', { type: 'adaptive' }, { effort: 'low' }],
    [{ effort: 'xhigh' }, 'claude-opus-4-6', { type: 'adaptive' }, { effort: 'high' }],
    [{ effort: 'xhigh' }, 'claude-opus-4-7', { type: 'adaptive' }, { effort: 'xhigh' }],
    [
      { isDynamic: true, summary: 'auto' },
      'claude-opus-4-8',
      { type: 'adaptive', display: 'summarized' },
      undefined,
    ],
    [{ budgetTokens: 2_000 }, 'claude-opus-4-8', { type: 'enabled', budget_tokens: 2_000 }, undefined],
    [{ budgetTokens: 2_000 }, 'claude-fable-5', { type: 'adaptive' }, undefined],
    [{ summary: 'auto' }, 'claude-sonnet-4-5', { type: 'enabled', budget_tokens: 2_048 }, undefined],
    [{ summary: 'none' }, 'claude-sonnet-4-5', undefined, undefined],
    [{ effort: 'none' }, 'claude-opus-4-8', { type: 'disabled' }, undefined],
    [{ effort: 'none' }, 'claude-fable-5', { type: 'adaptive' }, { effort: 'low' }],
    [{ effort: 'high' }, 'claude-3-haiku-20240307', undefined, undefined],
    [undefined, 'claude-opus-4-8', undefined, undefined],
  ] as const)('%j at %s', (reasoning, model, thinking, config) => {
    expect(think(reasoning, model)).toEqual([thinking, config]);
  });

  it('gives it up where the cap leaves no room, a tool is forced, or the running turn lacks its signed thoughts', () => {
    const effort = { effort: 'high' } as const;
    expect(think(effort, 'claude-sonnet-4-5', { maxOutputTokens: 1_100 })).toEqual([undefined, undefined]);
    const tools = [{ type: 'function', name: 'f' }] as const;
    expect(think(effort, 'claude-sonnet-4-5', { tools, toolChoice: { type: 'required' } })).toEqual([
      undefined,
      undefined,
    ]);
    const call = { type: 'tool-call', callId: 'c', name: 'f', json: '{}' } as const;
    const turn = (proof?: { by: 'anthropic' | 'google'; data: string }): ChatRequest['messages'] => [
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', content: [{ type: 'reasoning', text: 't', ...(proof && { proof }) }, call] },
      { role: 'tool', callId: 'c', content: [{ type: 'text', text: 'r' }] },
      { role: 'user', content: [{ type: 'text', text: 'and quickly' }] },
    ];
    const messages = turn();
    expect(think(effort, 'claude-sonnet-4-5', { messages })).toEqual([undefined, undefined]);
    expect(warningsOf(aRequest({ messages, reasoning: effort }))).toContain('reasoning');
    expect(
      think(effort, 'claude-sonnet-4-5', { messages: turn({ by: 'google', data: 's' }) })[0],
    ).toBeUndefined();
    expect(think(effort, 'claude-sonnet-4-5', { messages: turn({ by: 'anthropic', data: 's' }) })[0]).toEqual(
      { type: 'enabled', budget_tokens: 4_096 },
    );
    // Models that decide by themselves do not insist.
    expect(think(effort, 'claude-opus-4-6', { messages })[0]).toEqual({ type: 'adaptive' });
  });

  it('excludes sampling settings', () => {
    const written = write(aRequest({ reasoning: { effort: 'low' }, temperature: 0.2, topP: 0.5, topK: 4 }));
    for (const name of ['temperature', 'top_p', 'top_k']) expect(written).not.toHaveProperty(name);
  });
});
