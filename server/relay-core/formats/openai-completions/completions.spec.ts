import { describe, expect, it } from '@jest/globals';
import { aTarget, parsedBy, someEdits } from '../../../../test/support/relay-calls.js';
import type { ChatRequest } from '../../model/chat.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { ReplyContext } from '../contract/api-format.js';
import { openaiCompletions } from './index.js';
import { CompletionReplyReader } from './read-reply.js';

const EDITS = someEdits({ reportUsage: true, refusedMembers: ['store'] });
const CONTEXT: ReplyContext = { callId: 'call-1', createdAtSeconds: 1, model: 'm', wantsStreamUsage: true };
const parsed = (body: object) => parsedBy(openaiCompletions, { model: 'm', ...body });
const neutralOf = (body: object): ChatRequest => {
  const read = parsed(body).neutral();
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
};
const json = (bytes: Buffer) => JSON.parse(bytes.toString()) as Record<string, unknown>;

describe('requests', () => {
  it.each([
    [{}, 'prompt'],
    [{ prompt: null }, 'prompt'],
    [{ prompt: 5 }, 'prompt'],
    [{ prompt: [] }, 'prompt'],
    [{ prompt: 'x', n: 129 }, 'n'],
    [{ prompt: 'x', best_of: 0 }, 'best_of'],
    [{ prompt: 'x', max_tokens: -1 }, 'max_tokens'],
    [{ prompt: 'x', logprobs: 21 }, 'logprobs'],
    [{ prompt: Array.from({ length: 65 }, () => 'x'), n: 2 }, 'prompt'],
  ])('refuses %j', (body, param) => {
    const result = openaiCompletions.parseCall(
      Buffer.from(JSON.stringify({ model: 'm', ...body })),
      aTarget(),
    );
    expect(result).toMatchObject({ ok: false, error: { kind: 'invalid-request', param } });
  });

  it.each([
    [{ prompt: 'x' }, 1],
    [{ prompt: ['x', 'y', 'z'] }, 3],
    [{ prompt: [1, 2, 3] }, 1],
    [{ prompt: [[1, 2], [3]] }, 2],
    [{ prompt: ['x', 'y'], n: 2, best_of: 5 }, 10],
  ])('%j may make %i answers [RLY-04]', (body, choices) => {
    expect(parsed(body).shape.choices).toBe(choices);
  });

  it('passes them with the model renamed and their usage reported', () => {
    const call = parsed({ prompt: ['a', 'b'], suffix: 's', stream: true, store: true, api_base: 'x', y: 1 });
    expect(json(openaiCompletions.spliceRequest(call, EDITS))).toEqual({
      model: 'up',
      prompt: ['a', 'b'],
      suffix: 's',
      stream: true,
      stream_options: { include_usage: true },
      y: 1,
    });
  });

  it('writes them in the same format with all they held', () => {
    const body = {
      prompt: [1, 2],
      suffix: 's',
      echo: true,
      best_of: 2,
      logprobs: 3,
      temperature: 0,
      stop: ['a'],
      z: {},
    };
    const { body: written, warnings } = openaiCompletions.writeRequest(neutralOf(body), EDITS);
    expect(json(written)).toEqual({ model: 'up', ...body });
    expect(warnings).toEqual([]);
  });

  it('writes a conversation down, and refuses tools that must be called', () => {
    const request: ChatRequest = {
      ...neutralOf({ prompt: 'x' }),
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
      tools: [{ type: 'function', name: 'f' }],
    };
    const { body, warnings } = openaiCompletions.writeRequest(request, EDITS);
    expect(json(body)['prompt']).toBe('System: Be kind.\n\nUser: Hi\n\nAssistant:');
    expect(warnings).toMatchObject([{ setting: 'tools' }]);
    expect(openaiCompletions.refuseRequest?.({ ...request, toolChoice: { type: 'required' } })).toMatchObject(
      {
        kind: 'invalid-request',
      },
    );
    expect(openaiCompletions.refuseRequest?.(request)).toBeUndefined();
  });
});

describe('replies', () => {
  const STREAM = [
    '{"id":"c","created":5,"model":"s","choices":[{"index":0,"text":"Gr"}]}',
    '{"id":"c","choices":[{"index":1,"text":"Zwei"}]}',
    '{"id":"c","choices":[{"index":0,"text":"üß 🙂","finish_reason":"length"}]}',
    '{"id":"c","choices":[{"index":1,"text":"","finish_reason":"stop"}]}',
    '{"id":"c","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}',
    '[DONE]',
  ];
  const events = (): StreamEvent[] => {
    const reader = new CompletionReplyReader();
    return [...STREAM.flatMap((data) => reader.read(data)), ...reader.finish()];
  };

  it('meters and reads them alike', () => {
    const meter = openaiCompletions.openMeter(parsed({ prompt: 'x' }));
    const verdicts = STREAM.map((data) => {
      const bytes = Buffer.from(data);
      return meter.readEvent(bytes, 0, bytes.length, '');
    });
    expect(verdicts).toEqual(['content', 'content', 'content', 'content', 'usage-only', 'end']);
    expect(meter.produced.keptText()).toBe('GrZweiüß 🙂');
    expect(events().find(({ type }) => type === 'usage')).toMatchObject({ usage: meter.usage });
  });

  it('written again, they are the same', () => {
    const writer = openaiCompletions.openReplyWriter?.(CONTEXT, parsed({ prompt: 'x', stream: true }));
    const frames =
      events()
        .map((event) => writer?.write(event) ?? '')
        .join('') + (writer?.end() ?? '');
    const documents = frames
      .split('\n\n')
      .filter((frame) => frame.startsWith('data: {'))
      .map(
        (frame) =>
          JSON.parse(frame.slice(6)) as {
            choices: { index: number; text: string; finish_reason: string | null }[];
          },
      );
    const texts = ['', ''];
    for (const { choices } of documents) for (const { index, text } of choices) texts[index] += text;
    expect(texts).toEqual(['Grüß 🙂', 'Zwei']);
    expect(documents.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 4 },
    });
    expect(frames.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('whole, with probabilities and what we do not know', () => {
    const document = {
      id: 'c',
      object: 'text_completion',
      created: 5,
      model: 's',
      choices: [{ text: 'a', index: 0, logprobs: { tokens: ['a'] }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 3,
        completion_tokens: 4,
        total_tokens: 7,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
      },
      mystery: true,
    };
    const call = parsed({ prompt: 'x' });
    const read = openaiCompletions.readReply(Buffer.from(JSON.stringify(document)), call);
    if (!read.ok) throw new Error(read.error.message);
    expect(json(openaiCompletions.writeReply(read.value, CONTEXT, call))).toEqual(document);
  });

  it('a conversation’s answer shows its text alone, behind the prompt when that is asked for', () => {
    const reply = {
      id: '',
      servedModel: '',
      createdAtSeconds: undefined,
      usage: undefined,
      choices: [
        {
          content: [
            { type: 'reasoning' as const, text: 'hm' },
            { type: 'text' as const, text: 'End' },
          ],
          finish: { unified: 'tool-calls' as const, raw: undefined },
        },
      ],
    };
    const written = json(openaiCompletions.writeReply(reply, CONTEXT, parsed({ prompt: 'Be', echo: true })));
    expect(written).toMatchObject({ id: 'cmpl-call-1', choices: [{ text: 'BeEnd', finish_reason: 'stop' }] });
  });
});
