import { describe, expect, it } from '@jest/globals';
import type { ChatReply } from '../../model/chat.js';
import { ANSWER_TOOL } from './answer-tool.js';
import { anthropicMessages } from './index.js';
import { MessagesMeter } from './meter.js';
import { writeMessagesReply } from './write-reply.js';
import { CONTEXT, citation } from '../../../../test/support/fixtures/anthropic-messages.fixture.js';

describe('a whole reply', () => {
  const MESSAGE = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'redacted_thinking', data: 'hidden' },
      { type: 'text', text: 'Hi', citations: [citation] },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: [1] }, caller: { type: 'direct' } },
      { type: 'mcp_tool_use', id: 'm', name: 'x', server_name: 's', input: {} },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: 5,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 2,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 4 },
    },
    container: { id: 'c' },
  };
  const parsedCall = (() => {
    const parsed = anthropicMessages.parseCall(
      Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'a' }] })),
      { pathModel: undefined, query: '', headers: {} },
    );
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.value;
  })();
  const rewrite = (reply: ChatReply): unknown =>
    JSON.parse(anthropicMessages.writeReply(reply, CONTEXT, parsedCall).toString());
  const readWhole = (document: unknown): ChatReply => {
    const read = anthropicMessages.readReply(Buffer.from(JSON.stringify(document)), parsedCall);
    if (!read.ok) throw new Error(read.error.message);
    return read.value;
  };

  it('comes back as it was', () => {
    expect(rewrite(readWhole(MESSAGE))).toMatchObject(MESSAGE);
  });

  it('meters it from its bytes', () => {
    const meter = new MessagesMeter();
    expect(meter.readWhole(Buffer.from(JSON.stringify(MESSAGE)))).toBe('answer');
    expect(meter.usage).toEqual({ input: { total: 7, cacheRead: 2 }, output: { total: 9, reasoning: 4 } });
    expect(meter.produced.keptText()).toBe('Hm.Hif{"a":[1]}x');
    expect(meter.hasFinish).toBe(true);
  });

  it.each([
    ['error', { type: 'error', error: { type: 'api_error', message: 'no' } }],
    ['empty', { type: 'message', content: [] }],
    ['answer', { type: 'message', content: [], stop_reason: 'refusal' }],
  ])('recognizes it as %s', (verdict, document) => {
    expect(new MessagesMeter().readWhole(Buffer.from(JSON.stringify(document)))).toBe(verdict);
  });

  it('gives the plain text of a tool without JSON as its one argument', () => {
    const call = { type: 'tool-call' as const, callId: 'c', name: 'sql', json: 'select 1', isFreeform: true };
    const reply: ChatReply = {
      id: 'r',
      servedModel: 'm',
      createdAtSeconds: undefined,
      choices: [{ content: [call], finish: { unified: 'tool-calls', raw: undefined } }],
      usage: undefined,
    };
    expect(JSON.parse(writeMessagesReply(reply, CONTEXT).toString('utf8'))).toMatchObject({
      content: [{ type: 'tool_use', name: 'sql', input: { input: 'select 1' } }],
    });
  });

  it('refuses one that is no message as malformed', () => {
    expect(anthropicMessages.readReply(Buffer.from('<html>'), parsedCall)).toMatchObject({
      ok: false,
      error: { kind: 'upstream-malformed' },
    });
    expect(new MessagesMeter().readWhole(Buffer.from('<html>'))).toBe('malformed');
  });

  it('gives the text the caller asked for when it calls our own tool', () => {
    const reply = readWhole({
      ...MESSAGE,
      content: [
        { type: 'text', text: 'Here you are:' },
        { type: 'tool_use', id: 't', name: ANSWER_TOOL, input: { a: 1 } },
      ],
    });
    expect(reply.choices[0]).toEqual({
      content: [{ type: 'text', text: '{"a":1}' }],
      finish: { unified: 'stop', raw: 'end_turn' },
    });
  });

  it.each([
    ['stop', [], 'end_turn'],
    ['length', [], 'max_tokens'],
    ['content-filter', [], 'refusal'],
    ['stop', [{ type: 'tool-call', callId: 'c', name: 'f', json: '{' }], 'tool_use'],
  ] as const)(
    'ends one of another vendor with the word of the Messages API for %s',
    (unified, content, stop_reason) => {
      const written = rewrite({
        id: '',
        servedModel: '',
        createdAtSeconds: 1,
        usage: undefined,
        choices: [{ content, finish: { unified, raw: 'x' } }],
      });
      expect(written).toMatchObject({ id: 'msg_id', model: 'asked', stop_reason, stop_sequence: null });
    },
  );

  it.each(['pause_turn', 'model_context_window_exceeded', 'refusal', 'stop_sequence'])(
    'keeps %s',
    (stop_reason) => {
      const stop_sequence = stop_reason === 'stop_sequence' ? 'END' : null;
      expect(rewrite(readWhole({ ...MESSAGE, stop_reason, stop_sequence }))).toMatchObject({
        stop_reason,
        stop_sequence,
      });
    },
  );
});

describe('a whole reply with signatures of its texts', () => {
  it('writes them before the next block, and not behind the last text', () => {
    const signature = { by: 'google', data: 'mark' } as const;
    const text = (words: string) => ({ type: 'text', text: words, signature }) as const;
    const reply: ChatReply = {
      id: 'x',
      servedModel: 'm',
      createdAtSeconds: undefined,
      usage: undefined,
      choices: [{ content: [text('a'), text('b')], finish: { unified: 'stop', raw: undefined } }],
    };
    const { content } = JSON.parse(writeMessagesReply(reply, CONTEXT).toString()) as { content: object[] };
    expect(content).toMatchObject([
      { type: 'text', text: 'a' },
      { type: 'thinking', signature: 'previous#google#mark' },
      { type: 'text', text: 'b' },
    ]);
    expect(content).toHaveLength(3);
  });
});
