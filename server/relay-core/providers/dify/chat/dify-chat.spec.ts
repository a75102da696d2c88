import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../../model/stream-event.js';
import { openaiChat } from '../../../formats/openai-chat/index.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { difyChat, difyCompletion, difyWorkflow } from './index.js';
import { splitThoughts, ThoughtSplitter } from './index.js';
import { parsedBy, someEdits } from '../../../../../test/support/relay-calls.js';

const EDITS = someEdits({ upstreamModel: 'app', reportUsage: true, dropStreamOptions: true });

const callOf = (body: Readonly<Record<string, unknown>> = {}) =>
  parsedBy(openaiChat, { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...body });

function write(apiFormat: UpstreamFormat<'chat'>, body: Readonly<Record<string, unknown>>) {
  const request = callOf(body).neutral();
  if (!request.ok) throw new Error(request.error.message);
  const written = apiFormat.writeRequest(request.value, EDITS);
  return {
    body: JSON.parse(written.body.toString()) as Record<string, unknown>,
    warnings: written.warnings.map(({ setting }) => setting),
  };
}

function play(frames: readonly unknown[]) {
  const reader = difyChat.openReplyReader?.(callOf());
  if (reader === undefined) throw new Error('no reader');
  const meter = difyChat.openMeter(callOf());
  const verdicts: string[] = [];
  const events: StreamEvent[] = [];
  for (const frame of frames) {
    const data = Buffer.from(JSON.stringify(frame));
    verdicts.push(meter.readEvent(data, 0, data.length, ''));
    events.push(...reader.read(data.toString(), ''));
  }
  events.push(...reader.finish());
  return { verdicts, events, meter };
}

const textOf = (events: readonly StreamEvent[]): string =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

describe('requests of Dify', () => {
  it('sends one question as the query itself, and a conversation line by line', () => {
    expect(write(difyChat, { user: 'u1' }).body).toEqual({
      inputs: {},
      response_mode: 'blocking',
      user: 'u1',
      query: 'hi',
      auto_generate_name: false,
    });
    const messages = [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
    ];
    const { body } = write(difyChat, { messages, stream: true });
    expect(body['query']).toBe('SYSTEM:\nbe brief\nUSER:\none\nASSISTANT:\ntwo');
    expect(body['response_mode']).toBe('streaming');
    expect(body['user']).toMatch(/^caller-[0-9a-f]{16}$/);
  });

  it('other applications read the question from their inputs, beside the caller’s own', () => {
    const inputs = { language: 'no' };
    expect(write(difyWorkflow, { inputs }).body['inputs']).toEqual({ query: 'hi', language: 'no' });
    expect(write(difyCompletion, {}).body).not.toHaveProperty('query');
  });

  it('gives pictures by their address, and warns of bytes and settings', () => {
    const content = [
      { type: 'text', text: 'q' },
      { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
    ];
    const { body, warnings } = write(difyChat, { messages: [{ role: 'user', content }], temperature: 0 });
    expect(body['files']).toEqual([
      { type: 'image', transfer_method: 'remote_url', url: 'https://a.example/b.png' },
    ]);
    expect(warnings).toEqual(['messages', 'temperature']);
  });
});

describe('replies of Dify', () => {
  it('a chat application: text as it comes, figures at the end', () => {
    const { verdicts, events, meter } = play([
      { event: 'workflow_started', workflow_run_id: 'w', data: { id: 'w' } },
      { event: 'node_finished', data: { outputs: { text: 'inside' } } },
      { event: 'message', message_id: 'm1', answer: 'Hel', created_at: 5 },
      { event: 'agent_message', message_id: 'm1', answer: 'lo' },
      { event: 'ping' },
      { event: 'workflow_finished', data: { status: 'succeeded', outputs: { answer: 'Hello' } } },
      {
        event: 'message_end',
        metadata: {
          usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
          retriever_resources: [{ document_name: 'Manual', content: 'words' }],
        },
      },
    ]);
    expect(verdicts).toEqual(['setup', 'setup', 'content', 'content', 'silent', 'content', 'content']);
    expect(textOf(events)).toBe('Hello');
    expect(events).toContainEqual({ type: 'usage', usage: { input: { total: 9 }, output: { total: 2 } } });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'source',
        source: expect.objectContaining({ title: 'Manual', quote: 'words' }),
      }),
    );
    expect(meter.produced.keptText()).toBe('Hello');
    expect(meter.usage).toEqual({ input: { total: 9 }, output: { total: 2 } });
    expect(meter.hasFinish).toBe(true);
  });

  it('a workflow: its pieces, or its outputs where it gave none', () => {
    const pieces = play([
      { event: 'text_chunk', data: { text: 'Hel' } },
      { event: 'text_chunk', data: { text: 'lo' } },
      { event: 'workflow_finished', data: { status: 'succeeded', outputs: { text: 'Hello' } } },
    ]);
    expect([textOf(pieces.events), pieces.meter.produced.keptText()]).toEqual(['Hello', 'Hello']);
    const outputs = play([
      { event: 'workflow_finished', data: { status: 'succeeded', outputs: { result: 'Hey' } } },
    ]);
    expect([textOf(outputs.events), outputs.meter.produced.keptText()]).toEqual(['Hey', 'Hey']);
    expect(outputs.verdicts).toEqual(['content']);
  });

  it('failures inside a stream are failures', () => {
    const error = { event: 'error', status: 400, code: 'invalid_param', message: 'no' };
    expect(play([error]).verdicts).toEqual(['error']);
    const failed = { event: 'workflow_finished', data: { status: 'failed', error: 'broke', outputs: null } };
    const { verdicts, meter } = play([failed]);
    expect([verdicts, meter.errorDocument]).toEqual([['error'], { message: 'broke' }]);
  });

  it.each([
    [
      '{"answer":"Hello","message_id":"m","metadata":{"usage":{"prompt_tokens":3,"completion_tokens":1}}}',
      'answer',
    ],
    ['{"workflow_run_id":"w","data":{"status":"succeeded","outputs":{"text":"Hello"}}}', 'answer'],
    ['{"workflow_run_id":"w","data":{"status":"failed","error":"no"}}', 'error'],
    ['{"answer":""}', 'empty'],
    ['{"code":"invalid_param","message":"no","status":400}', 'error'],
  ])('whole reply %s is %s', (body, verdict) => {
    expect(difyChat.openMeter(callOf()).readWhole(Buffer.from(body))).toBe(verdict);
    if (verdict !== 'answer') return;
    expect(difyChat.readReply(Buffer.from(body), callOf())).toMatchObject({
      value: { choices: [{ content: [{ type: 'text', text: 'Hello' }] }] },
    });
  });
});

describe('thoughts inside answers of Dify', () => {
  const answers = [
    '<think>\nhm\n</think>\n\nHello',
    'Hello <think> there',
    '<details style="color:gray;background-color: #f8f8f8;padding: 8px;border-radius: 4px;" open> <summary> Thinking... </summary>hm</details>Hello',
  ];

  it.each(answers)('%j is split the same at every cut', (answer) => {
    const whole = splitThoughts(answer);
    for (let cut = 0; cut <= answer.length; cut += 1) {
      const splitter = new ThoughtSplitter();
      const pieces = [
        ...splitter.push(answer.slice(0, cut)),
        ...splitter.push(answer.slice(cut)),
        ...splitter.finish(),
      ];
      const join = (isThought: boolean): string =>
        pieces.map((piece) => (piece.isThought === isThought ? piece.text : '')).join('');
      const part = (type: 'reasoning' | 'text'): string =>
        whole.map((item) => (item.type === type ? item.text : '')).join('');
      expect([join(true).trim(), join(false)]).toEqual([part('reasoning'), part('text')]);
    }
  });
});
