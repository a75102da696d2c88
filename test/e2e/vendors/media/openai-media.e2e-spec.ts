import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFile } from 'openai';
import { openMediaFixture, refusalOf, type MediaFixture } from './media.fixture.js';
import { answerEvents, answerJson, formOf } from './scripted-vendor.js';

/** Images and moderation with the official client; prices in media-house.ts. */
let fixture: MediaFixture;
const PNG = Buffer.from('iVBORw0KGgo=', 'base64');

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

describe('pictures', () => {
  it('charges the tokens the vendor counts, images dearer than text', async () => {
    fixture.vendor.on('/v1/images/generations', (_request, response) =>
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
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.images.generate({
        model: 'gpt-image-1',
        prompt: 'A cat',
        quality: 'medium',
      });
      expect(reply.data?.[0]?.b64_json).toBe(PNG.toString('base64'));
      expect(reply.usage?.output_tokens).toBe(1_056);
    });
    expect(charge).toBe(18 + 1_056 * 8);
  });

  it('charges by size and quality when an image has a price, and by the images made, not requested', async () => {
    fixture.vendor.on('/v1/images/generations', (_request, response) =>
      answerJson(response, {
        created: 1,
        data: [{ url: 'https://pictures.example/1.png', revised_prompt: 'A cat.' }],
      }),
    );
    const large = await fixture.chargeOf(() =>
      fixture.client.images.generate({
        model: 'dall-e-3',
        prompt: 'A cat',
        size: '1792x1024',
        quality: 'hd',
      }),
    );
    expect(large).toBe(60_000);
    // Two were requested, one came: without a price per image it counts as 1,250 tokens, less for a small one.
    const small = await fixture.chargeOf(() =>
      fixture.client.images.generate({ model: 'dall-e-2', prompt: 'A', size: '256x256', n: 2 }),
    );
    expect(small).toBe(1 + 500);
  });

  it('stream in pieces, untouched', async () => {
    fixture.vendor.on('/v1/images/generations', (_request, response) =>
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
    const charge = await fixture.chargeOf(async () => {
      const stream = await fixture.client.images.generate({
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

  it('edits them by a form whose files arrive as they were sent', async () => {
    fixture.vendor.on('/v1/images/edits', (_request, response) =>
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
    const charge = await fixture.chargeOf(async () => {
      const image = [await toFile(PNG, 'a.png', { type: 'image/png' }), await toFile(PNG, 'b.png')];
      const mask = await toFile(PNG, 'mask.png', { type: 'image/png' });
      await fixture.client.images.edit({ model: 'gpt-image-1', prompt: 'More cats', image, mask });
    });
    const fields = await formOf(fixture.vendor.last('/v1/images/edits'));
    expect(fields).toEqual({
      model: 'gpt-image-1',
      prompt: 'More cats',
      'image[]': PNG.toString('latin1'),
      mask: PNG.toString('latin1'),
    });
    expect(charge).toBe(100 + 200 * 2 + 100 * 8);
  });

  it('makes variations', async () => {
    fixture.vendor.on('/v1/images/variations', (_request, response) =>
      answerJson(response, { created: 1, data: [{ url: 'https://pictures.example/2.png' }] }),
    );
    const image = await toFile(PNG, 'a.png', { type: 'image/png' });
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.images.createVariation({ model: 'dall-e-2', image, n: 1 });
      expect(reply.data?.[0]?.url).toContain('2.png');
    });
    // An input image counts as 800 tokens, a generated one as 1,250.
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
    const asked = fixture.vendor.requests.length;
    const error = await refusalOf(fixture.client.images.generate(body as never));
    expect(error.status).toBe(400);
    expect(error.message).toContain(sentence);
    expect(fixture.vendor.requests).toHaveLength(asked);
  });

  it('treats missing images as a failure, not an answer', async () => {
    fixture.vendor.on('/v1/images/generations', (_request, response) =>
      answerJson(response, { created: 1, data: [] }),
    );
    const before = await fixture.admin.balance();
    const error = await refusalOf(fixture.client.images.generate({ model: 'dall-e-3', prompt: 'x' }));
    expect(error.status).toBe(502);
    expect(await fixture.admin.balance()).toBe(before);
  });
});

describe('moderation', () => {
  it('passes on the result, and charges the moderated input', async () => {
    fixture.vendor.on('/v1/moderations', (_request, response) =>
      answerJson(response, { id: 'modr-1', model: 'omni-moderation-latest', results: [{ flagged: false }] }),
    );
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.moderations.create({
        model: 'omni-moderation-latest',
        input: ['one', 'two'],
      });
      expect(reply.results[0]?.flagged).toBe(false);
    });
    expect(charge).toBe(2);
  });
});
