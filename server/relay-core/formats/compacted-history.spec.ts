import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore, eventsIn, FORMAT_ROUTES } from '../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../test/support/memory-ports.js';
import type { MemoryExchange, MemoryReply } from '../../../test/support/memory-sides.js';
import { compactionItem, readCompaction } from './openai-responses/compaction.js';

const SUMMARY = 'the user wants a fence';
const WHOLE: Readonly<Record<string, object>> = {
  chat: {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: SUMMARY }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 },
  },
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'text', text: SUMMARY }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 9 },
  },
  gemini: {
    candidates: [{ content: { role: 'model', parts: [{ text: SUMMARY }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 9, totalTokenCount: 14 },
  },
};
const TRIGGER = [
  { role: 'user', content: 'build a fence' },
  { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c1', output: 'o' },
  { type: 'compaction_trigger' },
];
const tools = [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }];

const asked = (
  api: string,
  format: string,
  body: object,
  script: (upstream: MemoryExchange) => void,
): Promise<MemoryReply> => {
  const { dialect, path } = apiNamed(api);
  const route = FORMAT_ROUTES[format] ?? {};
  return callCore(new MemoryPorts(), { dialect, path, body: { model: 'gpt-test', ...body }, route, script });
};

/** The request that reaches the vendor. */
async function sentTo(api: string, format: string, body: object): Promise<string> {
  let sent = '';
  await asked(api, format, body, (upstream) => {
    sent = JSON.stringify(upstream.body);
    upstream.json(400, { error: { message: 'no' } });
  });
  return sent;
}

describe('a call for a compaction over another API', () => {
  it.each(['chat', 'messages', 'gemini'])('becomes a turn that asks for a summary (%s)', async (format) => {
    const reply = await asked('responses', format, { input: TRIGGER, tools }, (upstream) => {
      expect(JSON.stringify(upstream.body)).toContain('Summarize this conversation');
      upstream.json(200, WHOLE[format]);
    });
    const { output } = JSON.parse(reply.text) as { output: Record<string, unknown>[] };
    expect(output.map(({ type }) => type)).toEqual(['compaction']);
    expect(readCompaction(output[0] ?? {})).toBe(SUMMARY);
  });

  it('forbids calls of tools', async () => {
    const sent = JSON.parse(await sentTo('responses', 'chat', { input: TRIGGER, tools })) as object;
    expect(sent).toMatchObject({ tool_choice: 'none' });
  });

  it('streams one item', async () => {
    const chunk = (delta: object, finish: string | null = null): string =>
      JSON.stringify({
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    const reply = await asked('responses', 'chat', { input: TRIGGER, stream: true }, (upstream) => {
      upstream.head().events(chunk({ reasoning_content: 'hm' }), chunk({ content: 'the user ' }));
      upstream.events(chunk({ content: 'wants a fence' }), chunk({}, 'stop'), '[DONE]').end();
    });
    const items = eventsIn(reply.text).filter(({ type }) => type === 'response.output_item.done');
    expect(items.map(({ item }) => readCompaction(item as Record<string, unknown>))).toEqual([SUMMARY]);
    expect(reply.text).not.toContain('output_text.delta');
  });
});

describe('a history with a compaction', () => {
  const body = {
    instructions: 'be brief',
    input: [
      { role: 'user', content: 'an old word' },
      compactionItem('cmp_1', SUMMARY),
      { role: 'user', content: 'go on' },
    ],
  };

  it.each(['chat', 'messages', 'gemini', 'responses'])(
    'gives the summary in place of what stands before it (%s)',
    async (format) => {
      const sent = await sentTo('responses', format, body);
      expect(sent).toContain(SUMMARY);
      expect(sent).toContain('be brief');
      expect(sent).toContain('go on');
      expect(sent).not.toContain('an old word');
      expect(sent).not.toContain('tollgate-');
    },
  );

  const messages = {
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'an old word' },
      {
        role: 'assistant',
        content: [
          { type: 'compaction', content: SUMMARY },
          { type: 'text', text: 'ok' },
        ],
      },
      { role: 'user', content: 'go on' },
    ],
  };

  it.each(['chat', 'gemini', 'responses'])('opens those of Claude for others (%s)', async (format) => {
    const sent = await sentTo('messages', format, messages);
    expect(sent).toContain(SUMMARY);
    expect(sent).not.toContain('an old word');
  });

  it('leaves those of Claude to Claude', async () => {
    expect(JSON.parse(await sentTo('messages', 'messages', messages))).toMatchObject(messages);
  });

  it('has a note in the place of one that another vendor sealed', async () => {
    const input = [
      { type: 'compaction', encrypted_content: 'gAAA' },
      { role: 'user', content: 'go on' },
    ];
    let sent = '';
    const reply = await asked('responses', 'chat', { input }, (upstream) => {
      sent = upstream.request.body?.toString() ?? '';
      upstream.json(200, WHOLE['chat'] ?? {});
    });
    expect([reply.status, reply.headers['x-tollgate-warnings']]).toEqual([200, 'input']);
    expect(sent).toContain('sealed its summary');
    expect(sent).not.toContain('gAAA');
  });
});
