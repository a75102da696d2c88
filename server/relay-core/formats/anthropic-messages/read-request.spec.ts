import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../model/chat.js';
import { anthropicMessages } from './index.js';
import { write } from '../../../../test/support/fixtures/anthropic-requests.fixture.js';

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

describe('a request in this format that is written again', () => {
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
        {
          name: 'weather',
          description: 'W',
          input_schema: { type: 'object', properties: {}, additionalProperties: false },
          strict: true,
        },
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

  it('finds signatures of other families again, also those of calls, which have no field for one', () => {
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
      { type: 'reasoning', text: 'T', signature: { by: 'openai', id: 'rs_1', data: 'cipher' } },
      { type: 'tool-call', callId: 'c', name: 'f', json: '{}', signature: { by: 'google', data: 'late' } },
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
