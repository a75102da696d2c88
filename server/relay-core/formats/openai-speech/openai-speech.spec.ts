import { describe, expect, it } from '@jest/globals';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { openaiSpeech } from './index.js';
import { someEdits } from '../../../../test/support/relay-calls.js';

const EDITS = someEdits({ upstreamModel: 'mapped' });
const TARGET: CallTarget = { pathModel: undefined, query: '', headers: {} };
const parse = (body: unknown) => openaiSpeech.parseCall(Buffer.from(JSON.stringify(body)), TARGET);

function parsed(body: unknown): ParsedCall<'speak'> {
  const call = parse(body);
  if (!call.ok) throw new Error(call.error.message);
  return call.value;
}

describe('speech requests', () => {
  it.each([
    [{ model: 'tts-1' }, 'input'],
    [{ model: 'tts-1', input: '  ' }, 'input'],
    [{ model: 'tts-1', input: ['x'] }, 'input'],
    [{ model: 'tts-1', input: 'x', speed: 'fast' }, 'speed'],
    [{ model: 'tts-1', input: 'x', response_format: 5 }, 'response_format'],
    [{ model: 5, input: 'x' }, 'model'],
  ])('%j is refused, naming the field [RLY-04]', (body, param) => {
    expect(parse(body)).toMatchObject({ ok: false, error: { kind: 'invalid-request', param } });
  });

  it('counts characters where a model is priced by them, tokens where it is not', () => {
    const input = 'Ein Gruß 👋';
    expect(parsed({ model: 'tts-1-hd', input }).shape.promptTokens).toBe(10);
    expect(
      parsed({ model: 'gpt-4o-mini-tts', input: 'one two', instructions: 'be kind' }).shape.promptTokens,
    ).toBe(4);
  });

  it('takes the first model without one, and names it upstream', () => {
    const call = parsed({ input: 'x', voice: 'alloy' });
    expect(call.shape.model).toBe('tts-1');
    expect(JSON.parse(openaiSpeech.spliceRequest(call, EDITS).toString())).toEqual({
      input: 'x',
      voice: 'alloy',
      model: 'mapped',
    });
  });

  it('gives the same on the translated path', () => {
    const asked = {
      model: 'm',
      input: 'x',
      voice: 'alloy',
      instructions: 'slowly',
      response_format: 'wav',
      speed: 0.5,
      metadata: { a: 1 },
    };
    const neutral = parsed(asked).neutral();
    if (!neutral.ok) throw new Error(neutral.error.message);
    const { body, warnings } = openaiSpeech.writeRequest(neutral.value, EDITS);
    expect(JSON.parse(body.toString())).toEqual({ ...asked, model: 'mapped' });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['mp3', 'audio/mpeg'],
    ['opus', 'audio/ogg'],
    ['wav', 'audio/wav'],
    ['text/html', 'application/octet-stream'],
  ])('a reply in %s is of the type %s [UP-03]', (format, type) => {
    expect(openaiSpeech.replyTypeOf?.(parsed({ input: 'x', response_format: format }))).toBe(type);
  });
});

describe('speech replies', () => {
  const call = parsed({ model: 'gpt-4o-mini-tts', input: 'one', response_format: 'pcm' });

  it('measures them as they pass, at every cut', () => {
    for (const piece of [1, 1_000, 48_000]) {
      const meter = openaiSpeech.openMeter(call);
      for (let at = 0; at < 48_000; at += piece) meter.readBytes(Buffer.alloc(Math.min(piece, 48_000 - at)));
      expect(meter.finishBytes()).toBe('answer');
      expect(meter.ownCount()).toEqual({ input: { total: 1 }, output: { total: 17, audio: 17 } });
    }
  });

  it('takes nothing, or a document, for no sound', () => {
    expect(openaiSpeech.openMeter(call).finishBytes()).toBe('empty');
    const meter = openaiSpeech.openMeter(call);
    expect(meter.readWhole(Buffer.from('{"error":{"message":"no"}}'))).toBe('error');
    expect(meter.errorDocument).toEqual({ error: { message: 'no' } });
    expect(openaiSpeech.openMeter(call).readWhole(Buffer.alloc(100))).toBe('answer');
  });

  it('measures streams by their sound until the vendor reports tokens', () => {
    const meter = openaiSpeech.openMeter(call);
    const read = (event: unknown) => {
      const data = Buffer.from(JSON.stringify(event));
      return meter.readEvent(data, 0, data.length, '');
    };
    const audio = Buffer.alloc(48_000).toString('base64');
    expect(read({ type: 'speech.audio.delta', audio })).toBe('content');
    expect(meter.ownCount()?.output).toEqual({ total: 17, audio: 17 });
    expect(read({ type: 'speech.audio.done', usage: { input_tokens: 2, output_tokens: 9 } })).toBe('setup');
    expect(meter).toMatchObject({ hasFinish: true, usage: { output: { total: 9, audio: 9 } } });
    expect(read({ type: 'error', error: { message: 'x' } })).toBe('error');
    expect(meter.readEvent(Buffer.from('{"type"'), 0, 7, '')).toBe('malformed');
    expect(meter.readEvent(Buffer.from('[DONE]'), 0, 6, '')).toBe('end');
  });

  it('whole become the frames of a stream', () => {
    const reply = { audio: Buffer.from('abc'), mediaType: 'audio/mpeg', usage: undefined };
    const context = {
      callId: 'c',
      createdAtSeconds: 1,
      model: 'm',
      wantsStreamUsage: false,
      promptTokens: 0,
    };
    const frames = openaiSpeech.writeReplyAsStream?.(reply, context, call) ?? '';
    expect(frames).toContain('data: {"type":"speech.audio.delta","audio":"YWJj"}\n\n');
    expect(frames).toContain('"type":"speech.audio.done"');
  });
});
