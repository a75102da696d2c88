import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { APIError, toFile } from 'openai';
import { openMediaHouse, type MediaHouse } from './media-house.js';
import { answerEvents, answerJson, formOf, wavOf } from './scripted-vendor.js';

/** Pictures, sound and moderation with the official client; prices in media-house.ts. */
let house: MediaHouse;
const PNG = Buffer.from('iVBORw0KGgo=', 'base64');

beforeAll(async () => {
  house = await openMediaHouse([
    {
      models: [
        ...['gpt-image-1', 'dall-e-3', 'dall-e-2', 'whisper-1', 'gpt-4o-transcribe', 'tts-1'],
        ...['gpt-4o-mini-tts', 'omni-moderation-latest'],
      ],
    },
  ]);
});

afterAll(async () => {
  await house?.close();
});

const errorOf = async (call: Promise<unknown>): Promise<APIError> => {
  const error: unknown = await call.then(
    () => undefined,
    (fault: unknown) => fault,
  );
  if (!(error instanceof APIError)) throw new Error('the call was answered');
  return error;
};

describe('pictures', () => {
  it('are charged by the tokens the vendor counts, pictures dearer than words', async () => {
    house.vendor.on('/v1/images/generations', (_request, response) =>
      answerJson(response, {
        created: 1,
        data: [{ b64_json: PNG.toString('base64') }],
        usage: {
          total_tokens: 1_074,
          input_tokens: 18,
          output_tokens: 1_056,
          input_tokens_details: { text_tokens: 18, image_tokens: 0 },
        },
      }),
    );
    const charge = await house.chargeOf(async () => {
      const reply = await house.client.images.generate({
        model: 'gpt-image-1',
        prompt: 'A cat',
        quality: 'medium',
      });
      expect(reply.data?.[0]?.b64_json).toBe(PNG.toString('base64'));
      expect(reply.usage?.output_tokens).toBe(1_056);
    });
    expect(charge).toBe(18 + 1_056 * 8);
  });

  it('are charged by size and quality where a picture has a price, and by what was made, not by what was asked', async () => {
    house.vendor.on('/v1/images/generations', (_request, response) =>
      answerJson(response, {
        created: 1,
        data: [{ url: 'https://pictures.example/1.png', revised_prompt: 'A cat.' }],
      }),
    );
    const large = await house.chargeOf(() =>
      house.client.images.generate({ model: 'dall-e-3', prompt: 'A cat', size: '1792x1024', quality: 'hd' }),
    );
    expect(large).toBe(60_000);
    // Two were asked for, one came: without a price per picture it stands for 1,250 tokens, less for a small one.
    const small = await house.chargeOf(() =>
      house.client.images.generate({ model: 'dall-e-2', prompt: 'A', size: '256x256', n: 2 }),
    );
    expect(small).toBe(1 + 500);
  });

  it('stream in pieces, untouched', async () => {
    house.vendor.on('/v1/images/generations', (_request, response) =>
      answerEvents(response, [
        { type: 'image_generation.partial_image', b64_json: 'AAAA', partial_image_index: 0 } as {
          type: string;
        },
        {
          type: 'image_generation.completed',
          b64_json: PNG.toString('base64'),
          usage: { total_tokens: 300, input_tokens: 10, output_tokens: 290, input_tokens_details: {} },
        } as { type: string },
      ]),
    );
    const types: string[] = [];
    const charge = await house.chargeOf(async () => {
      const stream = await house.client.images.generate({
        model: 'gpt-image-1',
        prompt: 'A cat',
        stream: true,
        partial_images: 1,
      });
      for await (const event of stream) types.push(event.type);
    });
    expect(types).toEqual(['image_generation.partial_image', 'image_generation.completed']);
    expect(charge).toBe(10 + 290 * 8);
  });

  it('are edited by a form whose files arrive as they were sent', async () => {
    house.vendor.on('/v1/images/edits', (_request, response) =>
      answerJson(response, {
        created: 1,
        data: [{ b64_json: 'AAAA' }],
        usage: {
          total_tokens: 400,
          input_tokens: 300,
          output_tokens: 100,
          input_tokens_details: { text_tokens: 100, image_tokens: 200 },
        },
      }),
    );
    const charge = await house.chargeOf(async () => {
      const image = [await toFile(PNG, 'a.png', { type: 'image/png' }), await toFile(PNG, 'b.png')];
      const mask = await toFile(PNG, 'mask.png', { type: 'image/png' });
      await house.client.images.edit({ model: 'gpt-image-1', prompt: 'More cats', image, mask });
    });
    const fields = await formOf(house.vendor.last('/v1/images/edits'));
    expect(fields).toEqual({
      model: 'gpt-image-1',
      prompt: 'More cats',
      'image[]': PNG.toString('latin1'),
      mask: PNG.toString('latin1'),
    });
    expect(charge).toBe(100 + 200 * 2 + 100 * 8);
  });

  it('are varied', async () => {
    house.vendor.on('/v1/images/variations', (_request, response) =>
      answerJson(response, { created: 1, data: [{ url: 'https://pictures.example/2.png' }] }),
    );
    const image = await toFile(PNG, 'a.png', { type: 'image/png' });
    const charge = await house.chargeOf(async () => {
      const reply = await house.client.images.createVariation({ model: 'dall-e-2', image, n: 1 });
      expect(reply.data?.[0]?.url).toContain('2.png');
    });
    // A picture sent along stands for 800 tokens, one that was made for 1,250.
    expect(charge).toBe(800 + 1_250);
  });

  it.each([
    [{ model: 'dall-e-3', prompt: 'x', size: '1024×1024' }, 'letter x'],
    [{ model: 'dall-e-3', prompt: 'x', size: '256x256' }, 'must be one of'],
    [{ model: 'dall-e-3', prompt: 'x', n: 2 }, 'one picture'],
    [{ model: 'dall-e-2', prompt: 'x', n: 129 }, '1 to 128'],
    [{ model: 'dall-e-2', prompt: '' }, 'prompt'],
    [{ prompt: 'x' }, 'model'],
  ])('%j is refused here, and costs nothing', async (body, sentence) => {
    const asked = house.vendor.requests.length;
    const error = await errorOf(house.client.images.generate(body as never));
    expect(error.status).toBe(400);
    expect(error.message).toContain(sentence);
    expect(house.vendor.requests).toHaveLength(asked);
  });

  it('that never came are a failure, not an answer', async () => {
    house.vendor.on('/v1/images/generations', (_request, response) =>
      answerJson(response, { created: 1, data: [] }),
    );
    const before = await house.admin.balance();
    const error = await errorOf(house.client.images.generate({ model: 'dall-e-3', prompt: 'x' }));
    expect(error.status).toBe(502);
    expect(await house.admin.balance()).toBe(before);
  });
});

describe('speech', () => {
  it('is passed on as it comes, and charged by the characters that were spoken', async () => {
    const sound = Buffer.alloc(300_000, 7);
    house.vendor.on('/v1/audio/speech', (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      for (let at = 0; at < sound.length; at += 30_000) response.write(sound.subarray(at, at + 30_000));
      response.end();
    });
    const charge = await house.chargeOf(async () => {
      const reply = await house.client.audio.speech.create({
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
  ])('UP-08 is bytes and nothing a browser would run when the upstream calls it %s', async (type) => {
    house.vendor.on('/v1/audio/speech', (_request, response) => {
      response.writeHead(200, { 'content-type': type, 'content-disposition': 'inline' });
      response.end('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    });
    // Until it is booked: the next test counts from here.
    await house.chargeOf(async () => {
      const reply = await house.client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'one' });
      expect(reply.headers.get('content-type')).toBe('application/octet-stream');
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect(reply.headers.get('content-disposition')).toBeNull();
      await reply.arrayBuffer();
    });
  });

  it('is charged by its seconds where sound has a price: a begun second counts', async () => {
    const wav = wavOf(2);
    house.vendor.on('/v1/audio/speech', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(wav);
    });
    const charge = await house.chargeOf(async () => {
      const reply = await house.client.audio.speech.create({
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
    house.vendor.on('/v1/audio/speech', (_request, response) =>
      answerEvents(response, [
        { type: 'speech.audio.delta', audio: 'AAAA' } as { type: string },
        {
          type: 'speech.audio.done',
          usage: { input_tokens: 5, output_tokens: 40, total_tokens: 45 },
        } as { type: string },
      ]),
    );
    const charge = await house.chargeOf(async () => {
      const reply = await house.client.audio.speech.create({
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

  it('of a client that leaves is charged for what came, and the vendor is stopped', async () => {
    const { vendor, client } = house;
    const cancelled = vendor.cancelled;
    vendor.on('/v1/audio/speech', (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      response.write(Buffer.alloc(48_000));
    });
    const charge = await house.chargeOf(async () => {
      const leaving = new AbortController();
      const reply = await client.audio.speech.create(
        { model: 'gpt-4o-mini-tts', voice: 'alloy', input: 'one', response_format: 'pcm' },
        { signal: leaving.signal },
      );
      const reader = reply.body?.getReader();
      let read = 0;
      while (read < 48_000) read += (await reader?.read())?.value?.length ?? 48_000;
      leaving.abort();
      await vendor.until(() => vendor.cancelled > cancelled);
    });
    // One second: 17 tokens.
    expect(charge).toBe(1 + 17 * 20);
  });
});

describe('transcripts', () => {
  const file = () => toFile(wavOf(3), 'speech.wav', { type: 'audio/wav' });

  it('are charged by the seconds of the file when nobody counts', async () => {
    house.vendor.on('/v1/audio/transcriptions', (_request, response) =>
      answerJson(response, { text: 'Hello.' }),
    );
    const charge = await house.chargeOf(async () => {
      const reply = await house.client.audio.transcriptions.create({
        model: 'whisper-1',
        file: await file(),
      });
      expect(reply.text).toBe('Hello.');
    });
    expect(charge).toBe(50);
    expect((await formOf(house.vendor.last('/v1/audio/transcriptions')))['model']).toBe('whisper-1');
  });

  it('are charged by the seconds or the tokens the vendor tells', async () => {
    house.vendor.on('/v1/audio/transcriptions', (_request, response) =>
      answerJson(response, {
        task: 'transcribe',
        text: 'Hello.',
        duration: 5.1,
        usage: { type: 'duration', seconds: 6 },
      }),
    );
    const seconds = await house.chargeOf(async () =>
      house.client.audio.transcriptions.create({
        model: 'whisper-1',
        file: await file(),
        response_format: 'verbose_json',
        timestamp_granularities: ['word', 'segment'],
      }),
    );
    expect(seconds).toBe(100);
    house.vendor.on('/v1/audio/transcriptions', (_request, response) =>
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
    const tokens = await house.chargeOf(async () =>
      house.client.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await file() }),
    );
    expect(tokens).toBe(10 + 30 * 3 + 7 * 4);
  });

  it.each(['text', 'srt', 'vtt'] as const)('come as %s, untouched', async (format) => {
    const text = '1\n00:00:00,000 --> 00:00:03,000\nHello.\n';
    house.vendor.on('/v1/audio/transcriptions', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(text);
    });
    const charge = await house.chargeOf(async () => {
      const reply = await house.client.audio.transcriptions
        .create({ model: 'whisper-1', file: await file(), response_format: format })
        .asResponse();
      expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(await reply.text()).toBe(text);
    });
    expect(charge).toBe(50);
  });

  it('stream word by word', async () => {
    house.vendor.on('/v1/audio/transcriptions', (_request, response) =>
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
    const charge = await house.chargeOf(async () => {
      const stream = await house.client.audio.transcriptions.create({
        model: 'gpt-4o-transcribe',
        file: await file(),
        stream: true,
      });
      for await (const event of stream) if (event.type === 'transcript.text.delta') deltas.push(event.delta);
    });
    expect(deltas.join('')).toBe('Hello.');
    expect(charge).toBe(20 + 3 * 4);
  });

  it('are translated', async () => {
    house.vendor.on('/v1/audio/translations', (_request, response) =>
      answerJson(response, { text: 'Good day.' }),
    );
    const charge = await house.chargeOf(async () => {
      const reply = await house.client.audio.translations.create({ model: 'whisper-1', file: await file() });
      expect(reply.text).toBe('Good day.');
    });
    expect(charge).toBe(50);
  });

  it('of no file are refused here', async () => {
    const error = await errorOf(
      house.client.audio.transcriptions.create({
        model: 'whisper-1',
        file: await toFile(Buffer.alloc(0), 'a.wav'),
      }),
    );
    expect(error.status).toBe(400);
  });
});

describe('moderation', () => {
  it('is passed on and charged by what was judged', async () => {
    house.vendor.on('/v1/moderations', (_request, response) =>
      answerJson(response, { id: 'modr-1', model: 'omni-moderation-latest', results: [{ flagged: false }] }),
    );
    const charge = await house.chargeOf(async () => {
      const reply = await house.client.moderations.create({
        model: 'omni-moderation-latest',
        input: ['one', 'two'],
      });
      expect(reply.results[0]?.flagged).toBe(false);
    });
    expect(charge).toBe(2);
  });
});
