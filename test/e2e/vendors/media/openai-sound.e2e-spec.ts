import { EventEmitter } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { toFile } from 'openai';
import { openMediaFixture, refusalOf, type MediaFixture } from './media.fixture.js';
import { answerEvents, answerJson, formOf, wavOf } from './scripted-vendor.js';

/** Speech and transcripts with the official client; prices in media-house.ts. */
let fixture: MediaFixture;

beforeAll(async () => {
  fixture = await openMediaFixture([
    {
      models: [
        'gpt-image-1',
        'dall-e-3',
        'dall-e-2',
        'whisper-1',
        'gpt-4o-transcribe',
        'tts-1',
        'gpt-4o-mini-tts',
        'omni-moderation-latest',
      ],
    },
  ]);
});

afterAll(async () => {
  await fixture?.close();
});

describe('speech', () => {
  afterEach(() => fixture.admin.setOptions({ AbandonedReadSeconds: 15 }));

  /** Asks for a sound and leaves when a second of it has come. */
  async function leaveAfterASecond(): Promise<void> {
    const leaving = new AbortController();
    const reply = await fixture.client.audio.speech.create(
      { model: 'gpt-4o-mini-tts', voice: 'alloy', input: 'one', response_format: 'pcm' },
      { signal: leaving.signal },
    );
    const reader = reply.body?.getReader();
    let read = 0;
    while (read < 48_000) read += (await reader?.read())?.value?.length ?? 48_000;
    leaving.abort();
  }

  it('passes on as it comes, and charges the characters that were spoken', async () => {
    const sound = Buffer.alloc(300_000, 7);
    fixture.vendor.on('/v1/audio/speech', (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      for (let at = 0; at < sound.length; at += 30_000) response.write(sound.subarray(at, at + 30_000));
      response.end();
    });
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.audio.speech.create({
        model: 'tts-1',
        voice: 'alloy',
        input: 'Grüße, ihr!',
      });
      expect(reply.headers.get('content-type')).toBe('audio/mpeg');
      expect(Buffer.from(await reply.arrayBuffer()).equals(sound)).toBe(true);
    });
    expect(charge).toBe(11);
  });

  it.each([
    'text/html',
    'image/svg+xml',
    'text/html; charset=utf-8',
    'application/xhtml+xml',
    'text/javascript',
  ])('sends bytes and nothing a browser would run when the upstream calls it %s [UP-08]', async (type) => {
    fixture.vendor.on('/v1/audio/speech', (_request, response) => {
      response.writeHead(200, { 'content-type': type, 'content-disposition': 'inline' });
      response.end('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    });
    // Until it is booked: the next test counts from here.
    await fixture.chargeOf(async () => {
      const reply = await fixture.client.audio.speech.create({
        model: 'tts-1',
        voice: 'alloy',
        input: 'one',
      });
      expect(reply.headers.get('content-type')).toBe('application/octet-stream');
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect(reply.headers.get('content-disposition')).toBeNull();
      await reply.arrayBuffer();
    });
  });

  it('charges its seconds when audio has a price: a begun second counts', async () => {
    const wav = wavOf(2);
    fixture.vendor.on('/v1/audio/speech', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(wav);
    });
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.audio.speech.create({
        model: 'gpt-4o-mini-tts',
        voice: 'alloy',
        input: 'one',
        response_format: 'wav',
      });
      // A type that a browser would run is never copied.
      expect(reply.headers.get('content-type')).toBe('application/octet-stream');
      expect((await reply.arrayBuffer()).byteLength).toBe(wav.length);
    });
    // One token of text, and 2 s of sound: 2 / 60 × 1,000 = 34 tokens at 20.
    expect(charge).toBe(1 + 34 * 20);
  });

  it('streams as events, with the tokens the vendor counts', async () => {
    fixture.vendor.on('/v1/audio/speech', (_request, response) =>
      answerEvents(response, [
        { type: 'speech.audio.delta', audio: 'AAAA' } as { type: string },
        {
          type: 'speech.audio.done',
          usage: { input_tokens: 5, output_tokens: 40, total_tokens: 45 },
        } as { type: string },
      ]),
    );
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.audio.speech.create({
        model: 'gpt-4o-mini-tts',
        voice: 'alloy',
        input: 'one two',
        stream_format: 'sse',
      });
      const text = await reply.text();
      expect(text).toContain('"type":"speech.audio.delta"');
      expect(text).toContain('"output_tokens":40');
    });
    expect(charge).toBe(5 + 40 * 20);
  });

  it('charges the received part when a client leaves, and stops the vendor, without reading on', async () => {
    const { vendor, admin } = fixture;
    await admin.setOptions({ AbandonedReadSeconds: 0 });
    const cancelled = vendor.cancelled;
    vendor.on('/v1/audio/speech', (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      response.write(Buffer.alloc(48_000));
    });
    const charge = await fixture.chargeOf(async () => {
      await leaveAfterASecond();
      await vendor.until(() => vendor.cancelled > cancelled);
    });
    // One second: 17 tokens.
    expect(charge).toBe(1 + 17 * 20);
  });

  it('charges the whole audio when a client leaves, if it is read on to its end', async () => {
    const { vendor } = fixture;
    const left = new EventEmitter();
    vendor.on('/v1/audio/speech', (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      response.write(Buffer.alloc(48_000));
      left.once('left', () => response.end(Buffer.alloc(48_000)));
    });
    const charge = await fixture.chargeOf(async () => {
      await leaveAfterASecond();
      left.emit('left');
    });
    // Two seconds: 34 tokens.
    expect(charge).toBe(1 + 34 * 20);
  });
});

describe('transcripts', () => {
  const file = () => toFile(wavOf(3), 'speech.wav', { type: 'audio/wav' });

  it('charges the seconds of the file when no usage is reported', async () => {
    fixture.vendor.on('/v1/audio/transcriptions', (_request, response) =>
      answerJson(response, { text: 'Hello.' }),
    );
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.audio.transcriptions.create({
        model: 'whisper-1',
        file: await file(),
      });
      expect(reply.text).toBe('Hello.');
    });
    expect(charge).toBe(50);
    expect((await formOf(fixture.vendor.last('/v1/audio/transcriptions')))['model']).toBe('whisper-1');
  });

  it('charges the seconds or the tokens the vendor reports', async () => {
    fixture.vendor.on('/v1/audio/transcriptions', (_request, response) =>
      answerJson(response, {
        task: 'transcribe',
        text: 'Hello.',
        duration: 5.1,
        usage: { type: 'duration', seconds: 6 },
      }),
    );
    const seconds = await fixture.chargeOf(async () =>
      fixture.client.audio.transcriptions.create({
        model: 'whisper-1',
        file: await file(),
        response_format: 'verbose_json',
        timestamp_granularities: ['word', 'segment'],
      }),
    );
    expect(seconds).toBe(100);
    fixture.vendor.on('/v1/audio/transcriptions', (_request, response) =>
      answerJson(response, {
        text: 'Hello.',
        usage: {
          type: 'tokens',
          input_tokens: 40,
          input_token_details: { text_tokens: 10, audio_tokens: 30 },
          output_tokens: 7,
          total_tokens: 47,
        },
      }),
    );
    const tokens = await fixture.chargeOf(async () =>
      fixture.client.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await file() }),
    );
    expect(tokens).toBe(10 + 30 * 3 + 7 * 4);
  });

  it.each(['text', 'srt', 'vtt'] as const)('gives them as %s, untouched', async (format) => {
    const text = '1\n00:00:00,000 --> 00:00:03,000\nHello.\n';
    fixture.vendor.on('/v1/audio/transcriptions', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(text);
    });
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.audio.transcriptions
        .create({ model: 'whisper-1', file: await file(), response_format: format })
        .asResponse();
      expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await reply.text()).toBe(text);
    });
    expect(charge).toBe(50);
  });

  it('stream word by word', async () => {
    fixture.vendor.on('/v1/audio/transcriptions', (_request, response) =>
      answerEvents(response, [
        { type: 'transcript.text.delta', delta: 'Hel' } as { type: string },
        { type: 'transcript.text.delta', delta: 'lo.' } as { type: string },
        {
          type: 'transcript.text.done',
          text: 'Hello.',
          usage: { type: 'tokens', input_tokens: 20, output_tokens: 3, total_tokens: 23 },
        } as { type: string },
      ]),
    );
    const deltas: string[] = [];
    const charge = await fixture.chargeOf(async () => {
      const stream = await fixture.client.audio.transcriptions.create({
        model: 'gpt-4o-transcribe',
        file: await file(),
        stream: true,
      });
      for await (const event of stream) if (event.type === 'transcript.text.delta') deltas.push(event.delta);
    });
    expect(deltas.join('')).toBe('Hello.');
    expect(charge).toBe(20 + 3 * 4);
  });

  it('translates them', async () => {
    fixture.vendor.on('/v1/audio/translations', (_request, response) =>
      answerJson(response, { text: 'Good day.' }),
    );
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.audio.translations.create({
        model: 'whisper-1',
        file: await file(),
      });
      expect(reply.text).toBe('Good day.');
    });
    expect(charge).toBe(50);
  });

  it('refuses those of no file here', async () => {
    const error = await refusalOf(
      fixture.client.audio.transcriptions.create({
        model: 'whisper-1',
        file: await toFile(Buffer.alloc(0), 'a.wav'),
      }),
    );
    expect(error.status).toBe(400);
  });
});
