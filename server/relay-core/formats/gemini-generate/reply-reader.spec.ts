import { describe, expect, it } from '@jest/globals';
import { GenerateMeter } from './meter.js';
import { GenerateReplyReader } from './reply-reader.js';
import {
  candidate,
  frame,
  STREAM,
  USAGE,
  readStream,
} from '../../../../test/support/fixtures/gemini-replies.fixture.js';

const SIGNED_THOUGHT = { by: 'google', data: 'dGg=' };

describe('reading a stream', () => {
  const { events, meter } = readStream(STREAM);

  it('meters the last report with figures, looked at in between or not', () => {
    const said = { promptTokenCount: 9, candidatesTokenCount: 4 };
    const reports = [
      { promptTokenCount: 9 },
      said,
      { promptTokenCount: 0, candidatesTokenCount: 0 },
      { trafficType: 'ON_DEMAND' },
    ];
    for (const looks of [true, false]) {
      const meter = new GenerateMeter();
      const reader = new GenerateReplyReader();
      const told = [];
      for (const report of reports) {
        const data = Buffer.from(JSON.stringify(frame([candidate([{ text: 'x' }])], report)));
        meter.readEvent(data, 0, data.length);
        if (looks) expect(meter.usage?.input.total).toBe(9);
        told.push(...reader.read(data.toString('utf8')));
      }
      told.push(...reader.finish());
      const usage = { input: { total: 9 }, output: { total: 4 } };
      expect(meter.usage).toEqual(usage);
      expect(meter.usageIsInvalid).toBe(false);
      expect(told.filter(({ type }) => type === 'usage')).toEqual([{ type: 'usage', usage }]);
      const lie = Buffer.from(JSON.stringify(frame([candidate([{ text: 'x' }])], { promptTokenCount: 1.5 })));
      meter.readEvent(lie, 0, lie.length);
      expect(meter.usageIsInvalid).toBe(true);
    }
  });

  it('gives thoughts, words, calls, sources and figures in order', () => {
    expect(events).toEqual([
      { type: 'reply-start', id: 'resp-1', servedModel: 'gemini-served', createdAtSeconds: 1_795_255_200 },
      { type: 'reasoning-delta', block: 0, choice: 0, text: 'Hm' },
      { type: 'reasoning-delta', block: 0, choice: 0, text: 'm.' },
      { type: 'block-signature', block: 0, choice: 0, signature: SIGNED_THOUGHT, of: 'reasoning' },
      { type: 'block-end', block: 0, choice: 0 },
      { type: 'text-delta', block: 1, choice: 0, text: 'Grü' },
      { type: 'text-delta', block: 1, choice: 0, text: 'ezi "du"' },
      { type: 'block-end', block: 1, choice: 0 },
      { type: 'tool-input-start', block: 2, choice: 0, callId: 'call_gm_resp-1_1', name: 'look' },
      {
        type: 'block-signature',
        block: 2,
        choice: 0,
        signature: { by: 'google', data: 'c2ln' },
        of: 'tool-call',
      },
      { type: 'tool-input-delta', block: 2, choice: 0, json: '{"at":"ß"}' },
      { type: 'block-end', block: 2, choice: 0 },
      { type: 'tool-input-start', block: 3, choice: 0, callId: 'call_gm_resp-1_2', name: 'cook' },
      { type: 'tool-input-delta', block: 3, choice: 0, json: '{"list":[{"name":"soup"}],"hot":true}' },
      { type: 'block-end', block: 3, choice: 0 },
      { type: 'source', block: 1, choice: 0, source: { url: 'https://example.org', title: 'E' } },
      { type: 'choice-end', choice: 0, finish: { unified: 'tool-calls', raw: 'STOP' } },
      { type: 'usage', usage: USAGE },
      { type: 'reply-end', finish: { unified: 'tool-calls', raw: 'STOP' } },
    ]);
  });

  it('meters what it reads: figures, the ending, and every word and argument', () => {
    expect(meter.usage).toEqual(USAGE);
    expect(meter.hasFinish).toBe(true);
    const text = meter.produced.keptText();
    for (const piece of ['Hmm.', 'Grüezi "du"', 'look', 'ß', 'cook', 'so', 'up'])
      expect(text).toContain(piece);
  });

  it('gives the same wherever the bytes are cut [UP-05]', () => {
    for (let at = 1; at < STREAM.length; at += 1) {
      const cut = readStream(STREAM.subarray(0, at), STREAM.subarray(at));
      expect(cut.events).toEqual(events);
      expect(cut.meter.usage).toEqual(USAGE);
    }
  });

  it('reads several answers side by side', () => {
    const reader = new GenerateReplyReader();
    const read = reader.read(
      JSON.stringify(
        frame([
          candidate([{ text: 'a' }]),
          { content: { parts: [{ text: 'b' }] }, index: 1, finishReason: 'STOP' },
        ]),
      ),
    );
    expect(read).toContainEqual({ type: 'text-delta', block: 0, choice: 0, text: 'a' });
    expect(read).toContainEqual({ type: 'text-delta', block: 1, choice: 1, text: 'b' });
    expect(read).toContainEqual({ type: 'choice-end', choice: 1, finish: { unified: 'stop', raw: 'STOP' } });
  });

  it('gives pictures whole, code as text, and parts it does not know as they are', () => {
    const reader = new GenerateReplyReader();
    const unknown = { toolCall: { toolType: 'GOOGLE_MAPS' } };
    const read = reader.read(
      JSON.stringify(
        frame([
          candidate([
            { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
            { executableCode: { language: 'PYTHON', code: 'print(1)' } },
            unknown,
          ]),
        ]),
      ),
    );
    expect(read).toContainEqual({
      type: 'media',
      block: 0,
      choice: 0,
      media: 'image',
      source: { kind: 'base64', base64: 'aGk=', mediaType: 'image/png' },
    });
    expect(read).toContainEqual(
      expect.objectContaining({ type: 'text-delta', text: '\n```python\nprint(1)\n```\n' }),
    );
    expect(read).toContainEqual(expect.objectContaining({ type: 'vendor-part', value: unknown }));
  });
});
