import { describe, expect, it } from '@jest/globals';
import type { ParsedCall } from '../contract/api-format.js';
import { openaiSpeech } from '../openai-speech/index.js';
import { geminiSpeech } from './index.js';
import { someEdits } from '../../../../test/support/relay-calls.js';

const EDITS = someEdits({ upstreamModel: 'gemini-2.5-flash-preview-tts' });
const PCM = Buffer.alloc(48_000, 1);

function call(more: object = {}): ParsedCall<'speak'> {
  const body = Buffer.from(JSON.stringify({ model: 'gemini-tts', input: 'Hello.', ...more }));
  const parsed = openaiSpeech.parseCall(body, { pathModel: undefined, query: '', headers: {} });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

function request(more: object = {}) {
  const neutral = call(more).neutral();
  if (!neutral.ok) throw new Error(neutral.error.message);
  return neutral.value;
}

const written = (more: object) => {
  const { body, warnings } = geminiSpeech.writeRequest(request(more), EDITS);
  return { body: JSON.parse(body.toString()) as unknown, warnings };
};

const answer = (parts: readonly object[], usageMetadata?: object): Buffer =>
  Buffer.from(
    JSON.stringify({
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata,
    }),
  );
const sound = (mimeType: string, bytes = PCM) => ({
  inlineData: { mimeType, data: bytes.toString('base64') },
});

function read(body: Buffer, more: object = {}) {
  const reply = geminiSpeech.readReply(body, call(more));
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value;
}

describe('speech by generateContent', () => {
  it.each([
    ['alloy', 'Kore'],
    ['Puck', 'Puck'],
    [undefined, 'Kore'],
  ])('asks for sound, voice %s as %s', (voice, voiceName) => {
    expect(written({ voice })).toEqual({
      body: {
        contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }],
        generationConfig: {
          responseModalities: ['AUDIO'],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
        },
      },
      warnings: [],
    });
  });

  it('writes instructions before the text and warns of the speed', () => {
    expect(written({ instructions: 'Speak cheerfully.', speed: 1.5 })).toMatchObject({
      body: { contents: [{ parts: [{ text: 'Speak cheerfully: Hello.' }] }] },
      warnings: [{ setting: 'speed' }],
    });
  });

  it.each(['mp3', 'opus', 'aac', 'flac'])('refuses %s, naming the forms it has', (format) => {
    const error = geminiSpeech.refuseRequest?.(request({ response_format: format }));
    expect(error).toMatchObject({ kind: 'invalid-request', param: 'response_format' });
    expect(error?.message).toMatch(/wav.*pcm/);
  });

  it.each([{}, { response_format: 'wav' }, { response_format: 'pcm' }])('takes %j', (more) => {
    expect(geminiSpeech.refuseRequest?.(request(more))).toBeUndefined();
  });

  it.each([
    ['audio/L16;codec=pcm;rate=24000', 24_000],
    ['audio/L16;codec=pcm;rate=16000', 16_000],
    ['audio/L16', 24_000],
    ['audio/L16;rate=1', 24_000],
  ])('answers %s as WAV of %d samples a second', (mimeType, rate) => {
    const { audio, mediaType } = read(answer([sound(mimeType)]));
    expect(mediaType).toBe('audio/wav');
    expect(audio.toString('latin1', 0, 4)).toBe('RIFF');
    expect([audio.readUInt32LE(24), audio.readUInt32LE(28), audio.readUInt32LE(40)]).toEqual([
      rate,
      rate * 2,
      PCM.length,
    ]);
    expect(audio.subarray(44).equals(PCM)).toBe(true);
    expect(openaiSpeech.replyTypeOf?.(call(), audio)).toBe('audio/wav');
  });

  it('answers raw sound where it was asked for, all pieces', () => {
    const half = sound('audio/L16;codec=pcm;rate=24000', PCM.subarray(0, 24_000));
    const { audio, mediaType } = read(answer([half, half]), { response_format: 'pcm' });
    expect([mediaType, audio.equals(PCM)]).toEqual(['audio/pcm', true]);
  });

  it("charges the vendor's figures as sound, else the length of the sound", () => {
    const meter = geminiSpeech.openMeter(call());
    const usage = { promptTokenCount: 4, candidatesTokenCount: 25, totalTokenCount: 29 };
    expect(meter.readWhole(answer([sound('audio/L16')], usage))).toBe('answer');
    expect(meter.usage).toMatchObject({ input: { total: 4 }, output: { total: 25, audio: 25 } });

    const silent = geminiSpeech.openMeter(call());
    expect(silent.readWhole(answer([sound('audio/L16')]))).toBe('answer');
    expect(silent.usage).toBeUndefined();
    expect(silent.ownCount()?.output).toEqual({ total: 17, audio: 17 });
  });

  it('fails without sound', () => {
    const body = answer([{ text: 'I can only write.' }]);
    expect(geminiSpeech.openMeter(call()).readWhole(body)).toBe('empty');
    expect(geminiSpeech.readReply(body, call()).ok).toBe(false);
  });
});
