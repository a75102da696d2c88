import { describe, expect, it } from '@jest/globals';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { openaiTranscription, openaiTranslation } from './index.js';
import { someEdits } from '../../../../test/support/relay-calls.js';

const EDITS = someEdits({ upstreamModel: 'mapped' });
const target = (boundary = 'b'): CallTarget => ({
  pathModel: undefined,
  query: '',
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
});
const CONTEXT = { callId: 'c', createdAtSeconds: 1, model: 'm', wantsStreamUsage: false, promptTokens: 0 };

/** A form with 3,072 bytes of sound of no known kind: three tokens. */
function form(fields: Readonly<Record<string, string>>, file = 'x'.repeat(3_072)): Buffer {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const sound = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\nContent-Type: audio/mpeg\r\n\r\n${file}\r\n`;
  return Buffer.from(`${texts.join('')}${sound}--b--\r\n`);
}

function parsed(fields: Readonly<Record<string, string>> = { model: 'whisper-1' }): ParsedCall<'transcribe'> {
  const call = openaiTranscription.parseCall(form(fields), target());
  if (!call.ok) throw new Error(call.error.message);
  return call.value;
}

describe('transcription requests', () => {
  it('holds quota by the length of their sound', () => {
    expect(parsed().shape).toMatchObject({ task: 'transcribe', promptTokens: 3, heldOutput: { tokens: 0 } });
    expect(parsed({ model: 'gpt-4o-transcribe' }).shape.heldOutput?.tokens).toBe(202);
    expect(openaiTranslation.parseCall(form({}), target())).toMatchObject({
      value: { shape: { task: 'translate', model: 'whisper-1' } },
    });
  });

  it.each(['file_id', 'file_ids[]', 'file[file_id]', 'FILE_ID', 'container_id', 'a.vector_store_ids[0]'])(
    'refuses the id of something the vendor keeps in %s',
    (name) => {
      expect(
        openaiTranscription.parseCall(form({ model: 'whisper-1', [name]: 'file-1' }), target()),
      ).toMatchObject({
        ok: false,
        error: { kind: 'invalid-request', blame: 'caller' },
      });
    },
  );

  it('asks whisper for no stream: it gives none', () => {
    expect(parsed({ model: 'whisper-1', stream: 'true' }).shape.stream).toBe(false);
    expect(parsed({ model: 'gpt-4o-transcribe', stream: 'true' }).shape.stream).toBe(true);
  });

  it.each([
    [form({ stream: 'maybe' }), 'stream'],
    [form({}, ''), 'file'],
    [Buffer.from('--b--\r\n'), 'file'],
  ])('refuses those that cannot be read (%#) [RLY-04]', (body, param) => {
    expect(openaiTranscription.parseCall(body, target())).toMatchObject({ ok: false, error: { param } });
  });

  it('gives the same on the translated path', () => {
    const fields = {
      model: 'm',
      language: 'de',
      prompt: 'p',
      response_format: 'vtt',
      temperature: '0.2',
      own: 'x',
    };
    const call = parsed(fields);
    const neutral = call.neutral();
    if (!neutral.ok) throw new Error(neutral.error.message);
    const written = openaiTranscription.writeRequest(neutral.value, EDITS);
    const again = openaiTranscription.parseCall(written.body, {
      ...target(),
      headers: { 'content-type': written.contentType ?? '' },
    });
    if (!again.ok) throw new Error(again.error.message);
    expect(again.value.neutral()).toEqual({ ok: true, value: neutral.value });
    expect(again.value.shape.model).toBe('mapped');
  });
});

describe('transcripts', () => {
  const meterOf = (text: string, fields?: Readonly<Record<string, string>>) => {
    const meter = openaiTranscription.openMeter(parsed(fields));
    return { verdict: meter.readWhole(Buffer.from(text)), meter };
  };

  it.each([
    ['{"text":"Hello."}', 'answer', 3],
    ['{"text":""}', 'answer', 3],
    ['{"text":"Hello.","duration":5.2}', 'answer', 100],
    ['{"text":"Hello.","duration":"5.2"}', 'answer', 100],
    ['{"text":"Hello.","usage":{"type":"duration","seconds":60}}', 'answer', 1_000],
    ['{"text":"Hello.","duration":-5}', 'answer', 3],
    // Two days of sound in three kilobytes.
    ['{"text":"Hello.","duration":172000}', 'answer', 3],
    ['{"text":"Hello.","usage":{"type":"duration","seconds":172000}}', 'answer', 3],
    ['{}', 'empty', 3],
    ['{"error":{"message":"no"}}', 'error', 3],
    ['{"text":"He', 'malformed', 3],
  ])('%s is %s and stands for %d tokens', (text, verdict, tokens) => {
    const result = meterOf(text);
    expect(result.verdict).toBe(verdict);
    expect((result.meter.usage ?? result.meter.ownCount())?.input.total).toBe(tokens);
  });

  it('takes texts for anything but an error', () => {
    const fields = { model: 'whisper-1', response_format: 'srt' };
    expect(meterOf('', fields).verdict).toBe('answer');
    expect(meterOf('{Hello}', fields).verdict).toBe('answer');
    expect(meterOf('{"error":{"message":"no"}}', fields).verdict).toBe('error');
  });

  it('counts the text of streams until the vendor reports tokens', () => {
    const meter = openaiTranscription.openMeter(parsed({ model: 'gpt-4o-transcribe', stream: 'true' }));
    const read = (event: unknown) => {
      const data = Buffer.from(JSON.stringify(event));
      return meter.readEvent(data, 0, data.length, '');
    };
    expect(read({ type: 'transcript.text.delta', delta: 'Hello' })).toBe('content');
    // Cut here, the text is counted as text.
    expect(meter.ownCount()).toBeUndefined();
    expect(meter.produced.keptText()).toBe('Hello');
    expect(
      read({ type: 'transcript.text.done', text: 'Hello', usage: { input_tokens: 4, output_tokens: 1 } }),
    ).toBe('content');
    expect(meter).toMatchObject({ hasFinish: true, usage: { input: { total: 4 }, output: { total: 1 } } });
  });

  it.each([
    ['json', '{"text":"Hi there."}'],
    ['text', 'Hi there.\n'],
    ['srt', '1\n00:00:01,500 --> 00:01:02,000\nHi there.\n'],
    ['vtt', 'WEBVTT\n\n00:00:01.500 --> 00:01:02.000\nHi there.\n'],
  ])('writes those of another vendor as %s', (format, expected) => {
    const call = parsed({ model: 'm', response_format: format });
    const reply = {
      text: 'Hi there.',
      segments: [{ start: 1.5, end: 62, text: ' Hi there.' }],
      usage: undefined,
    };
    expect(openaiTranscription.writeReply(reply, CONTEXT, call).toString()).toBe(expected);
    expect(openaiTranscription.replyTypeOf?.(call)).toBe(
      format === 'json' ? 'application/json' : 'text/plain; charset=utf-8',
    );
  });

  it('carries them with all their pieces through the neutral model', () => {
    const call = parsed({ model: 'm', response_format: 'verbose_json' });
    const document = {
      task: 'transcribe',
      language: 'english',
      duration: 5.5,
      text: 'Hi.',
      segments: [{ id: 0, start: 0, end: 5.5, text: 'Hi.' }],
      words: [{ word: 'Hi', start: 0, end: 5.5 }],
      usage: { type: 'duration', seconds: 6 },
    };
    const read = openaiTranscription.readReply(Buffer.from(JSON.stringify(document)), call);
    if (!read.ok) throw new Error(read.error.message);
    expect(JSON.parse(openaiTranscription.writeReply(read.value, CONTEXT, call).toString())).toEqual(
      document,
    );
  });
});
