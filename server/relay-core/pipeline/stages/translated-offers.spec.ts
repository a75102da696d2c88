import { describe, expect, it } from '@jest/globals';
import { chatAnswer, chatCall, chatStream, oneCall } from '../../../../test/support/one-answer.js';
import { FORMAT_ROUTES } from '../../../../test/support/core-calls.js';
import { list, object, type Json } from '../../../../test/support/strict-vendors/story.js';

const DONE = chatAnswer({ content: 'ok' }, 'stop');
const FORM = { type: 'object', properties: {} };
const chatTool = (name: string): Json => ({ type: 'function', function: { name, parameters: FORM } });
const responsesTool = (name: string): Json => ({ type: 'function', name, parameters: FORM });
/** Names of the tools in any format's request. */
const namesIn = ({ tools }: Json): readonly unknown[] =>
  list(tools).flatMap((tool) =>
    tool['functionDeclarations'] === undefined
      ? [tool['name'] ?? object(tool['function'])['name']]
      : list(tool['functionDeclarations']).map(({ name }) => name),
  );

describe('tools of namespaces, over a format without them', () => {
  const tools = ['mcp__a', 'mcp__b'].map((name) => ({
    type: 'namespace',
    name,
    tools: [responsesTool('lookup')],
  }));
  const earlier = {
    type: 'function_call',
    call_id: 'c',
    namespace: 'mcp__b',
    name: 'lookup',
    arguments: '{}',
  };
  const input = [
    { role: 'user', content: 'q' },
    earlier,
    { type: 'function_call_output', call_id: 'c', output: 'r' },
  ];

  it.each(['chat', 'messages', 'gemini'])(
    'names each of them once, in tools and in turns: %s',
    async (over) => {
      const { sent } = await oneCall({ api: 'responses', over, more: { input, tools }, answer: {} });
      expect(namesIn(sent)).toEqual(['mcp__a__lookup', 'mcp__b__lookup']);
      const told = JSON.stringify(sent['messages'] ?? sent['contents']);
      expect(told).toContain('"name":"mcp__b__lookup"');
    },
  );

  it('come back with the namespace and the name of their own, whole and streamed', async () => {
    const call = chatCall('mcp__b__lookup', '{}');
    const answers = [chatAnswer(call, 'tool_calls'), chatStream([call], 'tool_calls')];
    for (const answer of answers) {
      const { body, events } = await oneCall({
        api: 'responses',
        over: 'chat',
        more: { input, tools },
        answer,
      });
      const last = object(events.at(-1)?.['response'] ?? body);
      expect(list(last['output'])).toMatchObject([
        { type: 'function_call', namespace: 'mcp__b', name: 'lookup', arguments: '{}' },
      ]);
    }
  });
});

describe('tools that only their own format has', () => {
  const hosted = [
    { type: 'image_generation' },
    { type: 'code_interpreter', container: { type: 'auto' } },
    { type: 'mcp', server_label: 's', server_url: 'https://x.example' },
    { type: 'local_shell' },
    { type: 'tool_search' },
    { type: 'file_search', vector_store_ids: [] },
    { type: 'apply_patch' },
  ];
  it.each(hosted)(
    'leaves them out with a warning where they are one offer among others: $type',
    async (tool) => {
      const more = { tools: [responsesTool('f'), tool] };
      const { status, sent, warnings } = await oneCall({
        api: 'responses',
        over: 'chat',
        more,
        answer: DONE,
      });
      expect([status, namesIn(sent), warnings]).toEqual([200, ['f'], 'tools']);
    },
  );

  it.each([
    ['they are all there is', { tools: [{ type: 'image_generation' }] }],
    [
      'one of them must be called',
      {
        tools: [responsesTool('f'), { type: 'image_generation' }],
        tool_choice: { type: 'image_generation' },
      },
    ],
  ])('refuse the call where %s', async (_name, more) => {
    expect((await oneCall({ api: 'responses', over: 'chat', more, answer: DONE })).status).toBe(400);
  });
});

describe('a limit of what may be called', () => {
  const chat = {
    tools: [chatTool('f'), chatTool('g')],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
    },
  };
  const responses = {
    tools: [responsesTool('f'), responsesTool('g')],
    tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] },
  };
  const gemini = {
    tools: [{ functionDeclarations: ['f', 'g', 'h'].map((name) => ({ name })) }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f', 'g'] } },
  };
  it.each([
    ['chat', chat, 'messages', ['f'], { type: 'any' }],
    ['chat', chat, 'gemini', ['f'], undefined],
    ['responses', responses, 'messages', ['f'], { type: 'any' }],
    ['gemini', gemini, 'messages', ['f', 'g'], { type: 'any' }],
    ['gemini', gemini, 'chat', ['f', 'g'], 'required'],
    ['gemini', gemini, 'responses', ['f', 'g'], 'required'],
  ])('keeps the one of %s by leaving other tools out: %j over %s', async (api, more, over, names, choice) => {
    const { sent } = await oneCall({ api, over, more, answer: {} });
    expect([namesIn(sent), sent['tool_choice']]).toEqual([names, choice]);
    if (over === 'gemini') expect(sent['toolConfig']).toEqual({ functionCallingConfig: { mode: 'ANY' } });
  });

  it('passes to a vendor that has the other form of it', async () => {
    const over = { ...FORMAT_ROUTES['responses'], upstreamModel: 'gpt-5' };
    const { sent } = await oneCall({ api: 'chat', over, more: chat, answer: {} });
    expect([namesIn(sent), sent['tool_choice']]).toEqual([['f', 'g'], responses.tool_choice]);
  });

  it('leaves other tools out where the vendor is not known to have a form of it', async () => {
    const { sent } = await oneCall({ api: 'chat', over: 'responses', more: chat, answer: {} });
    expect([namesIn(sent), sent['tool_choice']]).toEqual([['f'], 'required']);
  });

  it('ignores one that names no tool of the request', async () => {
    const more = { ...responses, tools: [responsesTool('x')] };
    const { sent } = await oneCall({ api: 'responses', over: 'messages', more, answer: {} });
    expect(namesIn(sent)).toEqual(['x']);
  });
});

describe('members that the other format has too', () => {
  it.each(['chat', 'responses'])('carries the automatic caching of %s to Anthropic', async (api) => {
    const mark = { type: 'ephemeral', ttl: '1h' };
    const { sent } = await oneCall({ api, over: 'messages', more: { cache_control: mark }, answer: {} });
    expect(sent['cache_control']).toEqual(mark);
  });

  it.each(['chat', 'responses', 'gemini'])(
    'writes the context of a document for %s as text',
    async (over) => {
      const source = { type: 'text', media_type: 'text/plain', data: 'DATA' };
      const content = [{ type: 'document', title: 'TITLE', context: 'ABOUT', source }];
      const more = { messages: [{ role: 'user', content }] };
      const { sent } = await oneCall({ api: 'messages', over, more, answer: {} });
      expect(JSON.stringify(sent)).toContain('TITLE\\nABOUT\\nDATA');
    },
  );

  it.each(['chat', 'responses', 'gemini'])(
    'writes the tool that a search found for %s as text',
    async (over) => {
      const messages = [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'ToolSearch', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't',
              content: [{ type: 'tool_reference', tool_name: 'WebFetch' }],
            },
          ],
        },
      ];
      const tools = ['WebFetch', 'ToolSearch'].map((name) => ({ name, input_schema: { type: 'object' } }));
      const { sent } = await oneCall({ api: 'messages', over, more: { messages, tools }, answer: {} });
      expect(JSON.stringify(sent)).toContain('"Loaded tool: WebFetch"');
    },
  );
});

describe('signed thoughts in LiteLLM’s form', () => {
  const blocks = [{ type: 'thinking', thinking: 'T1', signature: 'SIG' }];

  it('go back to Anthropic with their signature', async () => {
    const more = {
      tools: [chatTool('f')],
      reasoning_effort: 'low',
      max_tokens: 4_000,
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: '', thinking_blocks: blocks, ...chatCall('f', '{}') },
        { role: 'tool', tool_call_id: 'call_1', content: 'r' },
      ],
    };
    const { sent } = await oneCall({ api: 'chat', over: 'messages', more, answer: {} });
    expect(list(list(sent['messages'])[1]?.['content'])[0]).toEqual(blocks[0]);
  });

  it('reach Anthropic’s callers with their signature', async () => {
    const answer = chatAnswer({ content: 'ok', reasoning_content: 'T1', thinking_blocks: blocks }, 'stop');
    const more = { max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 1_024 } };
    const { body } = await oneCall({ api: 'messages', over: 'chat', more, answer });
    expect(list(body['content'])[0]).toMatchObject({ type: 'thinking', thinking: 'T1' });
    expect(list(body['content'])[0]?.['signature']).toContain('SIG');
  });
});

describe('values that stand for nothing', () => {
  const zeros = {
    content: 'sunny',
    function_call: { arguments: '', name: '' },
    tool_calls: [{ id: '', type: 'function', function: { name: '', arguments: '' } }],
    audio: { data: '', expires_at: 0, id: '', transcript: '' },
  };
  it.each([
    ['responses', '"type":"message"'],
    ['messages', '"text":"sunny"'],
    ['gemini', '"text":"sunny"'],
  ])('returns no calls and no sound for callers of %s', async (api, told) => {
    for (const answer of [chatAnswer(zeros, ''), chatStream([zeros], '')]) {
      const { body, events } = await oneCall({ api, over: 'chat', answer });
      const text = JSON.stringify([body, events]);
      expect(text).toContain(told.includes('sunny') ? told : 'sunny');
      expect(text).not.toMatch(/tool_use|functionCall|inlineData|"type":"function_call"/);
    }
  });
});

describe('streamed responses without places of their items', () => {
  const item = (id: string, name: string, json: string): Json => ({
    type: 'function_call',
    id,
    call_id: `call_${name}`,
    name,
    arguments: json,
  });
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
  const response = { id: 'r', object: 'response', model: 'm', output: [] };
  it.each([
    ['ids', (id: string) => ({ item_id: id })],
    ['nothing', () => ({})],
  ])('keeps parallel calls apart by %s', async (_name, place) => {
    const answer = [
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      ...['a', 'b'].flatMap((name) => [
        { type: 'response.output_item.added', item: item(`fc_${name}`, name, '') },
        ...[`{"${name}":`, '1}'].map((delta) => ({
          type: 'response.function_call_arguments.delta',
          ...place(`fc_${name}`),
          delta,
        })),
        { type: 'response.output_item.done', item: item(`fc_${name}`, name, `{"${name}":1}`) },
      ]),
      { type: 'response.completed', response: { ...response, status: 'completed', usage } },
    ];
    const { events } = await oneCall({ api: 'messages', over: 'responses', answer });
    const json = events.map(({ delta }) => object(delta)['partial_json'] ?? '').join('');
    expect(json).toBe('{"a":1}{"b":1}');
    const begun = events.flatMap((event) => object(event['content_block'])['name'] ?? []);
    expect(begun).toEqual(['a', 'b']);
  });

  it('gives whole seconds to callers of chats', async () => {
    const answer = {
      ...response,
      created_at: 1_795_580_447.5,
      status: 'completed',
      usage,
      output: [
        {
          type: 'message',
          id: 'm',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'x', annotations: [] }],
        },
      ],
    };
    const { body } = await oneCall({ api: 'chat', over: 'responses', answer });
    expect(body['created']).toBe(1_795_580_447);
  });
});
