import { describe, expect, it } from '@jest/globals';
import { parsedBy, someEdits } from '../../../../test/support/relay-calls.js';
import type { ChatRequest } from '../../model/chat.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { ReplyCollector, replyToEvents } from '../../pipeline/reply/collect-reply.js';
import type { ReplyContext } from '../contract/api-format.js';
import { openaiChat } from './index.js';
import { ChatReplyReader } from './reply-reader.js';
import { ChatReplyWriter } from './reply-writer.js';

const USER = { role: 'user', content: 'hi' };
const EDITS = someEdits({ upstreamModel: 'm' });
const CONTEXT: ReplyContext = { callId: 'call-1', createdAtSeconds: 1, model: 'm', wantsStreamUsage: false };
const parsed = (body: object) => parsedBy(openaiChat, { model: 'm', messages: [USER], ...body });
const neutralOf = (body: object): ChatRequest => {
  const read = parsed(body).neutral();
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
};
const writtenOf = (request: ChatRequest): Record<string, unknown> =>
  JSON.parse(openaiChat.writeRequest(request, EDITS).body.toString()) as Record<string, unknown>;

describe('requests written in the same format as they were', () => {
  it.each<[string, object]>([
    [
      'signatures of reasoning and of calls',
      {
        messages: [
          USER,
          {
            role: 'assistant',
            content: null,
            reasoning_details: [
              {
                type: 'reasoning.text',
                text: 'Why',
                signature: 'sig',
                format: 'anthropic-claude-v1',
                index: 0,
              },
            ],
            tool_calls: [
              {
                id: 'c',
                type: 'function',
                function: { name: 'f', arguments: '{}' },
                extra_content: { google: { thought_signature: 'ts' } },
              },
            ],
            reasoning_content: 'Why',
          },
          { role: 'tool', tool_call_id: 'c', content: 'r' },
        ],
      },
    ],
    [
      'marks of the cache',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }],
          },
        ],
        tools: [{ type: 'function', function: { name: 'f' }, cache_control: { type: 'ephemeral' } }],
      },
    ],
    [
      'tools of plain text and their calls',
      {
        messages: [
          USER,
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'sql', input: 'select 1' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: 'row' },
        ],
        tools: [{ type: 'custom', custom: { name: 'sql', description: 'd', format: { type: 'text' } } }],
        tool_choice: { type: 'custom', custom: { name: 'sql' } },
      },
    ],
    [
      'searches',
      {
        web_search_options: {
          search_context_size: 'low',
          user_location: { type: 'approximate', approximate: { country: 'NO' } },
        },
      },
    ],
    ['vendors’ switches of reasoning', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['OpenRouter’s switch', { reasoning: { effort: 'low', exclude: true } }],
    [
      'members nobody here knows',
      { prediction: { type: 'content', content: 'x' }, verbosity: 'low', x: [1] },
    ],
  ])('%s', (_name, body) => {
    expect(writtenOf(neutralOf(body))).toEqual({ model: 'm', messages: [USER], ...body });
  });
});

describe('reasoning that is asked for', () => {
  it.each<[object, object]>([
    [{ reasoning_effort: 'low' }, { effort: 'low' }],
    [{ thinking: { type: 'disabled' } }, { budgetTokens: 0 }],
    [{ thinking: { type: 'enabled', budget_tokens: 2_000 } }, { budgetTokens: 2_000 }],
    [{ thinking: { type: 'adaptive' } }, { isDynamic: true }],
    [{ reasoning: { max_tokens: 900 } }, { budgetTokens: 900 }],
    [{ reasoning: { enabled: false } }, { budgetTokens: 0 }],
    [{ reasoning: { effort: 'high', exclude: true } }, { effort: 'high', summary: 'none' }],
    [{ enable_thinking: true, thinking_budget: 700 }, { budgetTokens: 700 }],
    [{ enable_thinking: false }, { budgetTokens: 0 }],
    [{ think: true }, { isDynamic: true }],
    [
      { extra_body: { google: { thinking_config: { thinking_budget: -1, include_thoughts: true } } } },
      { isDynamic: true, summary: 'auto' },
    ],
  ])('%j is %j', (body, expected) => {
    expect(neutralOf(body).reasoning).toEqual(expected);
  });
});

describe('signatures in messages', () => {
  const partsOf = (message: object) =>
    neutralOf({ messages: [USER, { role: 'assistant', ...message }] }).messages[1]?.content;

  it('leaves out a signature whose words a client lost: the stream helper of OpenAI keeps the last entry only', () => {
    const signed = {
      type: 'reasoning.text',
      signature: 'sig',
      format: 'anthropic-claude-v1',
      index: 0,
      text_length: 3,
    };
    const said = { content: 'x', reasoning_details: [signed] };
    expect(partsOf({ ...said, reasoning_content: 'y' })).toEqual([{ type: 'text', text: 'x' }]);
    expect(partsOf(said)).toEqual([{ type: 'text', text: 'x' }]);
    const whole = { type: 'reasoning', text: 'Why', signature: { by: 'anthropic', data: 'sig' } };
    expect(partsOf({ ...said, reasoning_content: 'Why' })).toEqual([whole, { type: 'text', text: 'x' }]);
  });

  it('joins pieces of a stream, and finds their text in the message', () => {
    const details = [
      { type: 'reasoning.text', text: 'Wh', index: 0 },
      { type: 'reasoning.text', text: 'y', index: 0 },
      { type: 'reasoning.text', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
      { type: 'reasoning.encrypted', data: 'hidden', format: 'anthropic-claude-v1', index: 1 },
    ];
    expect(partsOf({ content: 'x', reasoning_details: details })).toEqual([
      { type: 'reasoning', text: 'Why', signature: { by: 'anthropic', data: 'sig' } },
      { type: 'reasoning', text: '', signature: { by: 'anthropic', data: 'hidden' }, isRedacted: true },
      { type: 'text', text: 'x' },
    ]);
    expect(
      partsOf({ content: 'x', reasoning_content: 'Why', reasoning_details: details.slice(2, 3) }),
    ).toMatchObject([
      { type: 'reasoning', text: 'Why', signature: { by: 'anthropic', data: 'sig' } },
      { type: 'text' },
    ]);
  });

  it('gives them to the call an encrypted entry names, or to their own family', () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const google = { type: 'reasoning.encrypted', data: 'ts', id: 'c', format: 'google-gemini-v1', index: 0 };
    expect(partsOf({ tool_calls, reasoning_details: [google] })).toEqual([
      expect.objectContaining({ type: 'tool-call', callId: 'c', signature: { by: 'google', data: 'ts' } }),
    ]);
    const openai = { type: 'reasoning.encrypted', data: 'enc', id: 'rs_1', format: 'openai-responses-v1' };
    expect(partsOf({ content: 'x', reasoning_details: [openai] })?.[0]).toEqual({
      type: 'reasoning',
      text: '',
      signature: { by: 'openai', data: 'enc', id: 'rs_1' },
    });
  });
});

it('pictures in answers of tools follow them as words of the user', () => {
  const image = { type: 'image' as const, source: { kind: 'url' as const, url: 'https://a.example/x.png' } };
  const request: ChatRequest = {
    ...neutralOf({}),
    messages: [
      {
        role: 'assistant',
        content: ['a', 'b'].map((callId) => ({ type: 'tool-call', callId, name: 'f', json: '{}' })),
      },
      { role: 'tool', callId: 'a', content: [{ type: 'text', text: 'seen' }, image] },
      { role: 'tool', callId: 'b', content: [{ type: 'text', text: 'done' }] },
    ],
  };
  expect(writtenOf(request)['messages']).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'a' }, { id: 'b' }] },
    { role: 'tool', tool_call_id: 'a', content: 'seen' },
    { role: 'tool', tool_call_id: 'b', content: 'done' },
    { role: 'user', content: [{ type: 'text' }, { type: 'image_url' }] },
  ]);
});

const delta = (value: object, more: object = {}) => ({
  id: 'x',
  choices: [{ index: 0, delta: value }],
  ...more,
});
const readAll = (...chunks: readonly object[]): StreamEvent[] => {
  const reader = new ChatReplyReader();
  return [...chunks.flatMap((chunk) => reader.read(JSON.stringify(chunk))), ...reader.finish()];
};
const collect = (events: readonly StreamEvent[]) => {
  const collector = new ReplyCollector();
  for (const event of events) collector.write(event);
  return collector.reply();
};
const STREAM = [
  delta({ reasoning: 'Wh', reasoning_details: [{ type: 'reasoning.text', text: 'Wh', index: 0 }] }),
  delta({ reasoning: 'y', reasoning_details: [{ type: 'reasoning.text', text: 'y', index: 0 }] }),
  delta({
    reasoning_details: [
      { type: 'reasoning.text', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
    ],
  }),
  delta({
    reasoning_details: [
      { type: 'reasoning.encrypted', data: 'hid', format: 'anthropic-claude-v1', index: 1 },
    ],
  }),
  delta({ content: 'So' }, { citations: ['https://a.example'] }),
  delta({ content: '.' }, { citations: ['https://a.example', 'https://b.example'] }),
  delta({ annotations: [{ type: 'url_citation', url_citation: { url: 'https://c.example', title: 'C' } }] }),
  delta({ images: [{ type: 'image_url', image_url: { url: 'data:image/webp;base64,QUJD' } }] }),
  delta({
    tool_calls: [
      {
        index: 0,
        id: 'c',
        function: { name: 'f', arguments: '{}' },
        extra_content: { google: { thought_signature: 'ts' } },
      },
    ],
  }),
  { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
];

describe('streams with everything in them', () => {
  const reply = collect(readAll(...STREAM));

  it('reads them: signatures, sources once each, pictures, calls although the vendor gives stop', () => {
    expect(reply.choices[0]).toMatchObject({
      finish: { unified: 'tool-calls', raw: 'stop' },
      content: [
        { type: 'reasoning', text: 'Why', signature: { by: 'anthropic', data: 'sig' } },
        { type: 'reasoning', isRedacted: true, signature: { data: 'hid' } },
        { type: 'text', text: 'So.' },
        { type: 'source', source: { url: 'https://b.example' } },
        { type: 'source', source: { url: 'https://c.example', title: 'C' } },
        { type: 'image', source: { base64: 'QUJD', mediaType: 'image/webp' } },
        { type: 'tool-call', callId: 'c', signature: { by: 'google', data: 'ts' } },
      ].toSpliced(3, 0, { type: 'source', source: { url: 'https://a.example' } }),
    });
  });

  it('a whole reply as a stream, written and read again, is the same reply', () => {
    const writer = new ChatReplyWriter(CONTEXT, parsed({}));
    const frames = [...replyToEvents(reply)].map((event) => writer.write(event)).join('') + writer.end();
    const again = readAll(
      ...frames
        .split('\n\n')
        .filter((frame) => frame.startsWith('data: {'))
        .map((frame) => JSON.parse(frame.slice(6)) as object),
    );
    const shapeOf = (content: readonly object[] | undefined) =>
      content?.map(
        (part) =>
          JSON.parse(JSON.stringify({ ...part, vendorOptions: undefined, source: undefined })) as object,
      );
    expect(shapeOf(collect(again).choices[0]?.content)).toEqual(shapeOf(reply.choices[0]?.content));
  });

  it('keeps every kind of content part in non-streamed replies', () => {
    const whole = openaiChat.writeReply(reply, CONTEXT, parsed({}));
    const read = openaiChat.readReply(whole, parsed({}));
    const kinds = (content: readonly { type: string }[] | undefined) =>
      content?.map(({ type }) => type).toSorted();
    expect(read.ok && kinds(read.value.choices[0]?.content)).toEqual(kinds(reply.choices[0]?.content));
  });
});

it('plain text that came inside JSON is opened for tools that take it', () => {
  const call = parsed({ tools: [{ type: 'custom', custom: { name: 'sql' } }] });
  const writer = new ChatReplyWriter(CONTEXT, call);
  const events: StreamEvent[] = [
    { type: 'tool-input-start', block: 0, callId: 'c', name: 'sql' },
    { type: 'tool-input-delta', block: 0, json: '{"input":"select 1"}' },
    { type: 'block-end', block: 0 },
  ];
  const frames = events.map((event) => writer.write(event)).join('');
  expect(frames).toContain('"custom":{"input":"select 1"}');
  const content = [{ type: 'tool-call' as const, callId: 'c', name: 'sql', json: '{"input":"select 1"}' }];
  const reply = {
    id: 'x',
    servedModel: 'm',
    createdAtSeconds: 1,
    usage: undefined,
    choices: [{ content, finish: undefined }],
  };
  expect(openaiChat.writeReply(reply, CONTEXT, call).toString()).toContain(
    '"type":"custom","custom":{"name":"sql","input":"select 1"}',
  );
});
