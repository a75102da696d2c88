import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore, eventsIn, FORMAT_ROUTES } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import type { MemoryExchange } from '../../../../test/support/memory-sides.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import { scanObject } from '../../framing/json-splice.js';
import { readOwnThought, writeOwnThought } from './own-thoughts.js';

const SENT_BACK = { store: false, include: ['reasoning.encrypted_content'] };
const THOUGHT = 'first this, then that';

const answer = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'hi', reasoning_content: THOUGHT },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 },
};
const chunk = (delta: object, finish: string | null = null): string =>
  JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

const asked = (format: string, body: object, script: (upstream: MemoryExchange) => void) => {
  const { dialect, path } = apiNamed('responses');
  const route = FORMAT_ROUTES[format] ?? {};
  return callCore(new MemoryPorts(), { dialect, path, body: { model: 'gpt-test', ...body }, route, script });
};
const itemsOf = (text: string) =>
  (JSON.parse(text) as { output: { type: string; encrypted_content?: string }[] }).output;

describe('reasoning without a signature', () => {
  it('gets an encrypted form of this gateway where the caller asks for one', async () => {
    const reply = await asked('chat', { ...SENT_BACK, input: 'q' }, (it) => void it.json(200, answer));
    const [reasoning] = itemsOf(reply.text);
    expect(readOwnThought(reasoning?.encrypted_content ?? '')).toBe(THOUGHT);
  });

  it('gets its encrypted form in the last event of its item', async () => {
    const reply = await asked('chat', { ...SENT_BACK, input: 'q', stream: true }, (upstream) => {
      upstream.head().events(chunk({ reasoning_content: 'first this, ' }));
      upstream.events(chunk({ reasoning_content: 'then that' }), chunk({ content: 'hi' }));
      upstream.events(chunk({}, 'stop'), '[DONE]').end();
    });
    const done = eventsIn(reply.text).filter(({ type }) => type === 'response.output_item.done');
    const [first] = done.map(({ item }) => item as { encrypted_content?: string });
    expect(readOwnThought(first?.encrypted_content ?? '')).toBe(THOUGHT);
  });

  it('has no encrypted form where no caller asks', async () => {
    const reply = await asked('chat', { store: false, input: 'q' }, (it) => void it.json(200, answer));
    expect(itemsOf(reply.text)[0]).not.toHaveProperty('encrypted_content');
  });

  const input = [
    { role: 'user', content: 'q' },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: writeOwnThought(THOUGHT) },
    { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'o' },
  ];

  it('returns as the reasoning of its turn', async () => {
    let sent: Record<string, unknown> = {};
    await asked('chat', { ...SENT_BACK, input }, (upstream) => {
      sent = upstream.body;
      upstream.json(200, answer);
    });
    expect((sent['messages'] as Record<string, unknown>[])[1]).toMatchObject({
      reasoning_content: THOUGHT,
      tool_calls: [{ id: 'c1' }],
    });
  });

  it.each(['responses', 'messages', 'gemini'])(
    'never reaches a vendor (%s) as its own proof',
    async (format) => {
      let sent = '';
      await asked(format, { ...SENT_BACK, input }, (upstream) => {
        sent = JSON.stringify(upstream.body);
        upstream.json(400, { error: { message: 'no' } });
      });
      expect(sent).toContain('"f"');
      expect(sent).not.toContain('tollgate-');
      expect(sent).not.toContain(writeOwnThought(THOUGHT).slice('tollgate-words#'.length));
    },
  );

  it('counts as text of the prompt', () => {
    const tokens = (encrypted: string): number => {
      const scanned = scanObject(Buffer.from(JSON.stringify({ input: [{ encrypted_content: encrypted }] })));
      if (typeof scanned === 'string') throw new Error(scanned);
      return estimateFields(scanned, { messages: ['input'] });
    };
    const thought = THOUGHT.repeat(100);
    expect(tokens(writeOwnThought(thought))).toBeGreaterThan(thought.length / 4);
    expect(tokens('x'.repeat(thought.length))).toBeLessThan(20);
  });
});
