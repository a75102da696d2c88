import { describe, expect, it } from '@jest/globals';
import type { CallShape } from '../../model/call.js';
import type { ImageRequest } from '../../model/image.js';
import { aliMultimodalEmbed } from './embed.js';
import { aliMessageImages, aliPromptImages, aliSourceImages } from './images.js';
import { openaiImages } from '../../formats/openai-images/index.js';
import { ali } from './provider.js';
import { type ProviderCall, findOperation } from '../provider.js';
import { someEdits } from '../../../../test/support/relay-calls.js';

const EDITS = someEdits({ upstreamModel: 'mapped', dropStreamOptions: true });

const callFor = (
  upstreamModel: string,
  task: CallShape['task'] = 'generate',
  clientFormat = 'x',
): ProviderCall =>
  ({
    route: { upstreamModel, baseUrl: '', credential: 'key', channelType: 17, settings: {}, other: '' },
    shape: { operation: 'image', model: upstreamModel, stream: false, choices: 1, promptTokens: 4, task },
    clientFormat,
  }) as unknown as ProviderCall;

const pictures = (fields: Partial<ImageRequest> = {}): ImageRequest => ({
  model: 'm',
  task: 'generate',
  prompt: 'A cat',
  images: [],
  count: 2,
  size: '1024x768',
  ...fields,
});
const bodyOf = (written: { readonly body: Buffer }): unknown => JSON.parse(written.body.toString());

describe('pictures of Ali', () => {
  it.each([
    ['qwen-image', 'generate', '/api/v1/services/aigc/multimodal-generation/generation', undefined],
    ['z-image-turbo', 'generate', '/api/v1/services/aigc/multimodal-generation/generation', undefined],
    ['wan2.2-t2i-flash', 'generate', '/api/v1/services/aigc/text2image/image-synthesis', 'enable'],
    ['wan2.6-t2i', 'generate', '/api/v1/services/aigc/multimodal-generation/generation', undefined],
    ['qwen-image-edit', 'edit', '/api/v1/services/aigc/multimodal-generation/generation', undefined],
    ['wanx2.1-imageedit', 'edit', '/api/v1/services/aigc/image2image/image-synthesis', 'enable'],
    ['wan2.6-image', 'edit', '/api/v1/services/aigc/image-generation/generation', 'enable'],
  ] as const)('%s (%s) go to %s', (model, task, path, asynchronous) => {
    const call = callFor(model, task);
    const operation = findOperation(ali, 'image', call);
    expect(operation?.address(call)).toEqual({ ok: true, value: `https://dashscope.aliyuncs.com${path}` });
    expect(operation?.headers(call)['x-dashscope-async']).toBe(asynchronous);
    expect(operation?.headers(call)['authorization']).toBe('Bearer key');
  });

  it('refuses variations', () => {
    expect(findOperation(ali, 'image', callFor('qwen-image', 'vary'))).toBeUndefined();
  });

  it('asks for them in three forms; their number is the priced one, whatever the settings', () => {
    const options = { 'openai-images': { watermark: false, parameters: { n: 4, seed: 7 }, quality2: 'x' } };
    const message = aliMessageImages.writeRequest(pictures({ vendorOptions: options }), EDITS);
    expect(bodyOf(message)).toEqual({
      model: 'mapped',
      input: { messages: [{ role: 'user', content: [{ text: 'A cat' }] }] },
      parameters: { watermark: false, seed: 7, size: '1024*768', n: 2 },
    });
    expect(message.warnings.map(({ setting }) => setting)).toEqual(['quality2']);
    expect(bodyOf(aliPromptImages.writeRequest(pictures(), EDITS))).toMatchObject({
      input: { prompt: 'A cat' },
    });
    const images = [{ kind: 'base64', base64: 'AAAA', mediaType: 'image/png' }] as const;
    expect(bodyOf(aliSourceImages.writeRequest(pictures({ images }), EDITS))).toMatchObject({
      input: { prompt: 'A cat', images: ['data:image/png;base64,AAAA'] },
    });
  });

  it('names every setting that the vendor does not have', () => {
    const images = [{ kind: 'base64', base64: 'AAAA', mediaType: 'image/png' }] as const;
    const asked = pictures({
      images,
      mask: images[0],
      user: 'u',
      outputFormat: 'webp',
      vendorOptions: { 'imagen-predict': { addWatermark: true }, 'openai-images': { seed: 7, other: 1 } },
    });
    const { warnings } = aliPromptImages.writeRequest(asked, EDITS);
    expect(warnings.map(({ setting }) => setting)).toEqual([
      'other',
      'output_format',
      'mask',
      'user',
      'image',
      'addWatermark',
    ]);
  });

  it('counts them as made, without one that failed', () => {
    const body = Buffer.from(
      JSON.stringify({
        output: {
          task_status: 'SUCCEEDED',
          results: [
            { url: 'https://x/1.png', actual_prompt: 'A fine cat' },
            { code: 'Blocked', message: 'no' },
          ],
        },
      }),
    );
    const parsed = openaiImages.parseCall(Buffer.from('{"model":"m","prompt":"A cat","n":2}'), {
      pathModel: undefined,
      query: '',
      headers: {},
    });
    if (!parsed.ok) throw new Error(parsed.error.message);
    const meter = aliPromptImages.openMeter(parsed.value);
    expect(meter.readWhole(body)).toBe('answer');
    expect(meter.units).toBe(1);
    expect(meter.ownCount()?.output.total).toBe(1_250);
    const read = aliPromptImages.readReply(body, parsed.value);
    expect(read).toMatchObject({
      ok: true,
      value: { images: [{ source: { url: 'https://x/1.png' }, revisedPrompt: 'A fine cat' }] },
    });
    const failed = aliPromptImages.openMeter(parsed.value);
    expect(
      failed.readWhole(Buffer.from('{"output":{"task_status":"FAILED","code":"X","message":"no"}}')),
    ).toBe('error');
    expect(failed.errorDocument).toEqual({ code: 'X', message: 'no' });
    expect(aliPromptImages.openMeter(parsed.value).readWhole(Buffer.from('<html>'))).toBe('malformed');
  });

  it('waits for those of a task, at the vendor and nowhere else', () => {
    const call = callFor('wan2.2-t2i-flash');
    const operation = findOperation(ali, 'image', call);
    const follow = (body: string, asked = 0) =>
      operation?.follow?.({ body: Buffer.from(body), asked, last: undefined }, call);
    const running = '{"output":{"task_id":"0385-ab","task_status":"RUNNING"}}';
    expect(follow(running)).toMatchObject({
      afterMs: 5_000,
      request: { method: 'GET', url: 'https://dashscope.aliyuncs.com/api/v1/tasks/0385-ab' },
    });
    expect(follow(running, 1)).toMatchObject({ afterMs: 10_000 });
    expect(follow(running, 20)).toBeUndefined();
    expect(follow('{"output":{"task_id":"../../x","task_status":"RUNNING"}}')).toBeUndefined();
    expect(follow('{"output":{"task_id":"1","task_status":"SUCCEEDED"}}')).toBeUndefined();
    expect(follow('not json')).toBeUndefined();
  });
});

describe('other operations of Ali', () => {
  it('uses the caller’s API format where a model has it', () => {
    const at = (model: string, clientFormat: string): unknown => {
      const call = callFor(model, undefined, clientFormat);
      const address = findOperation(ali, 'chat', call)?.address(call);
      return address?.ok === true ? new URL(address.value).pathname : undefined;
    };
    expect(at('qwen-plus', 'openai-chat')).toBe('/compatible-mode/v1/chat/completions');
    expect(at('qwen-plus', 'openai-responses')).toBe('/api/v2/apps/protocols/compatible-mode/v1/responses');
    expect(at('qwen-plus', 'anthropic-messages')).toBe('/apps/anthropic/v1/messages');
    expect(at('baichuan', 'anthropic-messages')).toBe('/compatible-mode/v1/chat/completions');
  });

  it('finds them beside the compatible mode, wherever the channel points', () => {
    const bases = [
      '',
      'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
      'https://own.example/api/v1/',
    ];
    const addresses = bases.map((baseUrl) => {
      const call = callFor('qwen-image');
      const address = findOperation(ali, 'image', call)?.address({
        ...call,
        route: { ...call.route, baseUrl },
      });
      return address?.ok === true ? address.value : undefined;
    });
    const path = '/api/v1/services/aigc/multimodal-generation/generation';
    expect(addresses).toEqual([
      `https://dashscope.aliyuncs.com${path}`,
      `https://dashscope-intl.aliyuncs.com${path}`,
      `https://own.example${path}`,
    ]);
  });

  it('makes vectors of pictures where a model sees', () => {
    const call = callFor('multimodal-embedding-v1');
    const operation = findOperation(ali, 'embed', call);
    expect(operation?.apiFormat.id).toBe('ali-multimodal-embed');
    expect(
      findOperation(ali, 'embed', callFor('text-embedding-v4', undefined, 'openai-embeddings'))?.apiFormat.id,
    ).toBe('openai-embeddings');
    const written = aliMultimodalEmbed.writeRequest(
      {
        inputs: ['a cat', 'https://x/cat.png', 'https://x/cat.mp4'],
        isList: true,
        dimensions: 512,
      },
      EDITS,
    );
    expect(bodyOf(written)).toEqual({
      model: 'mapped',
      input: {
        contents: [{ text: 'a cat' }, { image: 'https://x/cat.png' }, { video: 'https://x/cat.mp4' }],
      },
      parameters: { dimension: 512 },
    });
  });
});
