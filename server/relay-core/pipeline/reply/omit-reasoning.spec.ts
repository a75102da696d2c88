import { describe, expect, it } from '@jest/globals';
import { aRoute, MemoryPorts } from '../../../../test/support/memory-ports.js';
import { GATHERED } from '../../../../test/support/gather-streams.js';
import { MemoryReply } from '../../../../test/support/memory-sides.js';
import { aClientCall, clientRouteOf } from '../../../../test/support/relay-calls.js';
import { anthropic } from '../../dialects/anthropic.js';
import type { Dialect, DialectRoute } from '../../dialects/dialect.js';
import { gemini } from '../../dialects/gemini.js';
import { runCall } from '../run-call.js';

interface Asked {
  readonly dialect: Dialect;
  readonly clientRoute: DialectRoute;
  readonly body: object;
  readonly answer: object | readonly object[];
  readonly channelType?: number;
  readonly upstreamModel?: string;
}

async function ask({
  dialect,
  clientRoute,
  body,
  answer,
  channelType = 8,
  upstreamModel = 'gpt-test',
}: Asked) {
  const ports = new MemoryPorts();
  const baseUrl = channelType === 8 ? 'https://own.example/v1/chat/completions' : '';
  ports.channels.routes[0] = aRoute({ channelType, upstreamModel, baseUrl });
  ports.sender.scripts = [
    (upstream) => {
      const isStream = Array.isArray(answer);
      upstream.head(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      const frames = isStream
        ? `${answer.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('')}data: [DONE]\n\n`
        : JSON.stringify(answer);
      upstream.bytes(frames).end();
    },
  ];
  const reply = new MemoryReply();
  const call = aClientCall({
    path: clientRoute.path,
    pathModel: clientRoute.path.includes(':model') ? 'gpt-test' : undefined,
    query: clientRoute.path.includes(':stream') ? 'alt=sse' : '',
    headers: { authorization: 'Bearer sk-test', 'x-api-key': 'sk-test', 'x-goog-api-key': 'sk-test' },
    body: Buffer.from(JSON.stringify(body)),
    receivedAtMs: ports.clock.nowMs(),
  });
  await runCall(ports, call, dialect, clientRoute, reply);
  return {
    text: reply.text,
    usage: ports.quota.settled[0]?.usage,
    sent: Buffer.from(ports.sender.exchanges[0]?.request.body ?? '').toString(),
  };
}

const USAGE = {
  prompt_tokens: 5,
  completion_tokens: 9,
  total_tokens: 14,
  completion_tokens_details: { reasoning_tokens: 6 },
};
const WHOLE = {
  id: 'x',
  object: 'chat.completion',
  model: 'm',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', reasoning_content: 'secret thought', content: 'Hi' },
      finish_reason: 'stop',
    },
  ],
  usage: USAGE,
};
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});
const STREAM = [
  chunk({ role: 'assistant', reasoning_content: 'secret thought' }),
  chunk({ content: 'Hi' }),
  chunk({}, 'stop'),
  { ...chunk({}), choices: [], usage: USAGE },
];

const MESSAGES = { model: 'gpt-test', max_tokens: 4_096, messages: [{ role: 'user', content: 'q' }] };
const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'q' }] }] };
const thinks = (thinkingConfig: object) => ({ ...CONTENTS, generationConfig: { thinkingConfig } });

describe('thoughts are given to who asks for them, and counted for everybody', () => {
  const cases = [
    [anthropic, MESSAGES, false],
    [anthropic, { ...MESSAGES, thinking: { type: 'disabled' } }, false],
    [anthropic, { ...MESSAGES, output_config: { effort: 'high' } }, false],
    [anthropic, { ...MESSAGES, thinking: { type: 'enabled', budget_tokens: 2_048 } }, true],
    [anthropic, { ...MESSAGES, thinking: { type: 'adaptive' } }, true],
    [gemini, CONTENTS, false],
    [gemini, thinks({ thinkingBudget: 1_024 }), false],
    [gemini, thinks({ includeThoughts: false }), false],
    [gemini, thinks({ includeThoughts: true }), true],
  ] as const;

  it.each(cases.map(([dialect, body, isShown]) => ({ dialect, id: dialect.id, body, isShown })))(
    '$id $body: $isShown',
    async ({ dialect, body, isShown }) => {
      const path =
        dialect === gemini
          ? dialect.routes.find((one) => one.path.endsWith(':generateContent'))?.path
          : undefined;
      const whole = await ask({
        dialect,
        clientRoute: clientRouteOf(dialect, 'chat', path),
        body,
        answer: WHOLE,
      });
      expect(whole.text.includes('secret thought')).toBe(isShown);
      expect(whole.text).toContain('Hi');
      expect(whole.usage?.output.total).toBe(9);
      const stream =
        dialect === gemini
          ? dialect.routes.find((one) => one.path.endsWith(':streamGenerateContent'))?.path
          : undefined;
      const streamed = await ask({
        dialect,
        clientRoute: clientRouteOf(dialect, 'chat', stream),
        body: dialect === gemini ? body : { ...body, stream: true },
        answer: STREAM,
      });
      expect(streamed.text.includes('secret thought')).toBe(isShown);
      expect(streamed.text).toContain('Hi');
      expect(streamed.usage?.output.total).toBe(9);
    },
  );
});

describe('a signature that a later turn needs', () => {
  it.each([false, true])('keeps it aside when its API has no place for it (streamed: %s)', async (stream) => {
    const tools = [{ name: 'f', input_schema: { type: 'object', properties: { a: { type: 'string' } } } }];
    const whole = {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { functionCall: { id: 'call-7', name: 'f', args: {} }, thoughtSignature: 'c2lnbmF0dXJl' },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
      responseId: 'r',
    };
    const place = {
      dialect: anthropic,
      clientRoute: clientRouteOf(anthropic, 'chat'),
      answer: stream ? [whole] : whole,
      channelType: 24,
      upstreamModel: 'gemini-3-pro-preview',
    };
    const answered = async () => {
      const { text } = await ask({ ...place, body: { ...MESSAGES, tools, stream } });
      const message = stream ? GATHERED['anthropic-messages']?.(text) : (JSON.parse(text) as object);
      return (message as { content: { type: string; id: string }[] }).content;
    };
    const content = await answered();
    const again = await answered();
    // Vendors count anew: the same id means another call in another conversation.
    expect(again[0]?.id).not.toBe(content[0]?.id);
    expect(content.map(({ type }) => type)).toEqual(['tool_use']);
    const messages = [
      ...MESSAGES.messages,
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: content[0]?.id, content: 'done' }] },
    ];
    const second = await ask({ ...place, body: { ...MESSAGES, tools, messages } });
    expect(second.sent).toContain('"thoughtSignature":"c2lnbmF0dXJl"');
    // The additions to ids are for us alone.
    expect(second.sent).not.toContain('-kept-');
    // A key that is not stored finds nothing, and the vendor's stand-in goes out.
    const forged = JSON.parse(
      JSON.stringify(messages).replaceAll(/-kept-.{16}/g, '-kept-AAAAAAAAAAAAAAAA'),
    ) as object;
    const third = await ask({ ...place, body: { ...MESSAGES, tools, messages: forged } });
    expect(third.sent).not.toContain('c2lnbmF0dXJl');
  });
});
