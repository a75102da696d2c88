import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFile } from 'openai';
import { openMediaFixture, type MediaFixture } from './media.fixture.js';
import { answerEvents, answerJson } from './scripted-vendor.js';

/** OpenAI's images over vendors with another request form, and audio that breaks off. Prices in media-house.ts. */
let fixture: MediaFixture;
const ALI_CONVERSATION = '/api/v1/services/aigc/multimodal-generation/generation';
const ALI_TASKS = '/api/v1/services/aigc/text2image/image-synthesis';

beforeAll(async () => {
  fixture = await openMediaFixture([
    { type: 17, models: ['qwen-image', 'wan2.2-t2i'] },
    { type: 40, models: ['kolors'] },
    { type: 48, models: ['grok-2-image'] },
    { models: ['gpt-4o-mini-tts', 'gpt-image-1'] },
  ]);
  await fixture.admin.setOptions({
    ModelPrice: { 'qwen-image': 0.04, 'wan2.2-t2i': 0.04, kolors: 0.04, 'grok-2-image': 0.07 },
  });
});

afterAll(async () => {
  await fixture?.close();
});

const bodyAt = (path: string): unknown => JSON.parse(fixture.vendor.last(path).body.toString('utf8'));

describe('pictures of Ali', () => {
  it('returns them at once: requested in the vendor’s own form, charged as made', async () => {
    fixture.vendor.on(ALI_CONVERSATION, (_request, response) =>
      answerJson(response, {
        output: { choices: [{ message: { content: [{ image: 'https://x/1.png' }] } }] },
        usage: { image_count: 1 },
        request_id: 'r',
      }),
    );
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.images.generate({
        model: 'qwen-image',
        prompt: 'A cat',
        n: 2,
        size: '1024x1024',
      });
      expect(reply.data).toEqual([{ url: 'https://x/1.png' }]);
    });
    expect(charge).toBe(20_000);
    expect(bodyAt(ALI_CONVERSATION)).toEqual({
      model: 'qwen-image',
      input: { messages: [{ role: 'user', content: [{ text: 'A cat' }] }] },
      parameters: { size: '1024*1024', n: 2 },
    });
  });

  it('waits for those of a task inside the call', async () => {
    let looks = 0;
    fixture.vendor.on(ALI_TASKS, (_request, response) =>
      answerJson(response, { output: { task_id: 'task-1', task_status: 'PENDING' } }),
    );
    fixture.vendor.on('/api/v1/tasks/task-1', (_request, response) => {
      looks += 1;
      answerJson(response, {
        output: {
          task_id: 'task-1',
          task_status: 'SUCCEEDED',
          results: [{ url: 'https://x/1.png' }, { url: 'https://x/2.png' }],
        },
      });
    });
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.images.generate({ model: 'wan2.2-t2i', prompt: 'A cat', n: 2 });
      expect(reply.data).toHaveLength(2);
    });
    expect(looks).toBe(1);
    expect(fixture.vendor.last(ALI_TASKS).headers['x-dashscope-async']).toBe('enable');
    expect(fixture.vendor.last('/api/v1/tasks/task-1').headers.authorization).toBe('Bearer upstream-key');
    expect(charge).toBe(40_000);
  }, 20_000);

  it('reports the reason of a failure, and charges nothing', async () => {
    fixture.vendor.on(ALI_CONVERSATION, (_request, response) =>
      answerJson(response, { code: 'DataInspectionFailed', message: 'Not that.', request_id: 'r' }, 400),
    );
    const before = await fixture.admin.balance();
    await expect(fixture.client.images.generate({ model: 'qwen-image', prompt: 'x' })).rejects.toThrow(
      'Not that.',
    );
    expect(await fixture.admin.balance()).toBe(before);
  });

  it('returns them as the last event to a caller that wants a stream', async () => {
    fixture.vendor.on(ALI_CONVERSATION, (_request, response) =>
      answerJson(response, {
        output: { choices: [{ message: { content: [{ image: 'https://x/1.png' }] } }] },
      }),
    );
    const types: string[] = [];
    const charge = await fixture.chargeOf(async () => {
      const stream = await fixture.client.images.generate({ model: 'qwen-image', prompt: 'x', stream: true });
      for await (const event of stream) types.push(event.type);
    });
    expect(types).toEqual(['image_generation.completed']);
    expect(charge).toBe(20_000);
  });
});

describe('pictures of look-alikes', () => {
  it('SiliconFlow: uses other names for size and number, and sends input images in the body', async () => {
    fixture.vendor.on('/v1/images/generations', (_request, response) =>
      answerJson(response, {
        images: [{ url: 'https://x/1.png' }],
        data: [{ url: 'https://x/1.png' }],
        seed: 1,
      }),
    );
    const charge = await fixture.chargeOf(async () => {
      const image = await toFile(Buffer.from('PNG'), 'a.png', { type: 'image/png' });
      const reply = await fixture.client.images.edit({
        model: 'kolors',
        prompt: 'A cat',
        image,
        size: '1024x1024',
        n: 2,
      });
      expect(reply.data).toEqual([{ url: 'https://x/1.png' }]);
    });
    expect(bodyAt('/v1/images/generations')).toEqual({
      model: 'kolors',
      prompt: 'A cat',
      image_size: '1024x1024',
      batch_size: 2,
      image: `data:image/png;base64,${Buffer.from('PNG').toString('base64')}`,
    });
    expect(charge).toBe(20_000);
  });

  it('xAI: leaves out fields it refuses', async () => {
    fixture.vendor.on('/v1/images/generations', (_request, response) =>
      answerJson(response, { data: [{ b64_json: 'AAAA' }, { b64_json: 'BBBB' }] }),
    );
    const charge = await fixture.chargeOf(() =>
      fixture.client.images.generate({
        model: 'grok-2-image',
        prompt: 'A cat',
        n: 2,
        size: '1024x1024',
        quality: 'hd',
        response_format: 'b64_json',
      }),
    );
    expect(bodyAt('/v1/images/generations')).toEqual({
      model: 'grok-2-image',
      prompt: 'A cat',
      n: 2,
      response_format: 'b64_json',
    });
    expect(charge).toBe(70_000);
  });

  it('refuses variations with a sentence', async () => {
    const image = await toFile(Buffer.from('PNG'), 'a.png', { type: 'image/png' });
    await expect(
      fixture.client.images.createVariation({ model: 'grok-2-image', image }),
    ).rejects.toMatchObject({
      status: 501,
    });
  });
});

describe('what breaks off', () => {
  it('ends the connection in the middle of audio, and charges the received part', async () => {
    fixture.vendor.on('/v1/audio/speech', (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      response.write(Buffer.alloc(48_000), () => response.destroy());
    });
    const charge = await fixture.chargeOf(async () => {
      const reply = await fixture.client.audio.speech.create({
        model: 'gpt-4o-mini-tts',
        voice: 'alloy',
        input: 'one',
        response_format: 'pcm',
      });
      await expect(reply.arrayBuffer()).rejects.toThrow();
    });
    expect(charge).toBe(1 + 17 * 20);
  });

  it('sends an error event in the middle of an image, never a clean end', async () => {
    fixture.vendor.on('/v1/images/generations', (_request, response) =>
      answerEvents(response, [
        { type: 'image_generation.partial_image', b64_json: 'AAAA', partial_image_index: 0 } as {
          type: string;
        },
      ]),
    );
    const charge = await fixture.chargeOf(async () => {
      const stream = await fixture.client.images.generate({
        model: 'gpt-image-1',
        prompt: 'x',
        stream: true,
      });
      const read = async (): Promise<void> => {
        for await (const event of stream) expect(event.type).toBe('image_generation.partial_image');
      };
      await expect(read()).rejects.toThrow();
    });
    // The unfinished image: 1,056 tokens at 8, and the prompt.
    expect(charge).toBe(1 + 1_056 * 8);
  });

  it('fails before any audio and charges nothing', async () => {
    fixture.vendor.on('/v1/audio/speech', (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.end();
    });
    const before = await fixture.admin.balance();
    const call = fixture.client.audio.speech.create({
      model: 'gpt-4o-mini-tts',
      voice: 'alloy',
      input: 'one',
    });
    await expect(call).rejects.toMatchObject({ status: 502 });
    expect(await fixture.admin.balance()).toBe(before);
  });
});
