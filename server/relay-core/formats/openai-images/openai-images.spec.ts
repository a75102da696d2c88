import { describe, expect, it } from '@jest/globals';
import type { ImageRequest } from '../../model/image.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { openaiImageEdits, openaiImages, openaiImageVariations } from './index.js';
import { imageFactorsOf, tokensOfMade } from './rules.js';
import { someEdits } from '../../../../test/support/relay-calls.js';

const EDITS = someEdits({ upstreamModel: 'mapped' });
const JSON_TARGET: CallTarget = { pathModel: undefined, query: '', headers: {} };
const FORM_TARGET: CallTarget = {
  ...JSON_TARGET,
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
};
const CONTEXT = {
  callId: 'c',
  createdAtSeconds: 7,
  model: 'm',
  wantsStreamUsage: false,
  promptTokens: 0,
};

const parse = (body: unknown) => openaiImages.parseCall(Buffer.from(JSON.stringify(body)), JSON_TARGET);

function parsed(body: unknown): ParsedCall<'image'> {
  const call = parse(body);
  if (!call.ok) throw new Error(call.error.message);
  return call.value;
}

function neutralOf(call: ParsedCall<'image'>): ImageRequest {
  const request = call.neutral();
  if (!request.ok) throw new Error(request.error.message);
  return request.value;
}

function form(...parts: readonly (readonly [string, string, string?])[]): Buffer {
  const lines = parts.map(
    ([name, value, fileName]) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: image/png`}\r\n\r\n${value}\r\n`,
  );
  return Buffer.from(`${lines.join('')}--b--\r\n`);
}

function edited(...parts: readonly (readonly [string, string, string?])[]): ParsedCall<'image'> {
  const call = openaiImageEdits.parseCall(form(...parts), FORM_TARGET);
  if (!call.ok) throw new Error(call.error.message);
  return call.value;
}

describe('what a picture costs', () => {
  it.each([
    [{ model: 'dall-e-2', prompt: 'x', size: '256x256' }, '0.4'],
    [{ model: 'dall-e-2', prompt: 'x', size: '512x512' }, '0.45'],
    [{ model: 'dall-e-2', prompt: 'x' }, undefined],
    [{ model: 'dall-e-3', prompt: 'x', size: '1024x1792' }, '2'],
    [{ model: 'dall-e-3', prompt: 'x', quality: 'hd' }, '2'],
    [{ model: 'dall-e-3', prompt: 'x', quality: 'hd', size: '1792x1024' }, '3'],
    [{ model: 'gpt-image-1', prompt: 'x', quality: 'high', size: '1536x1024' }, undefined],
    [{ model: 'z-image-turbo', prompt: 'x', parameters: { prompt_extend: true } }, '2'],
  ])('%j has the factor %s', (body, factor) => {
    expect(parsed(body).shape.callFactor).toBe(factor);
  });

  it.each([
    [{ model: 'dall-e-2', prompt: 'x', size: '256x256' }, '256x256', 'size 256x256, quality standard'],
    [{ model: 'dall-e-2', prompt: 'x' }, undefined, 'size 1024x1024, quality standard'],
    [{ model: 'dall-e-3', prompt: 'x', quality: 'hd' }, 'hd', 'size 1024x1024, quality hd'],
    [
      { model: 'dall-e-3', prompt: 'x', quality: 'hd', size: '1792x1024' },
      'hd 1792x1024',
      'size 1792x1024, quality hd',
    ],
    [{ model: 'gpt-image-1', prompt: 'x' }, undefined, 'size auto, quality auto'],
    [
      { model: 'gpt-image-1', prompt: 'x', quality: 'q'.repeat(500) },
      undefined,
      `size auto, quality ${'q'.repeat(32)}`,
    ],
  ])('%j is named: factor %s, log %s', (body, name, terms) => {
    expect(parsed(body).shape).toMatchObject({ pictureTerms: terms });
    expect(parsed(body).shape.callFactorName).toBe(name);
  });

  it('lists every factor a model may be charged with, and none it cannot', () => {
    expect(imageFactorsOf('dall-e-2').map(({ ratio }) => ratio)).toEqual(['0.4', '0.45']);
    expect(imageFactorsOf('dall-e-3')).toContainEqual({ name: 'hd 1024x1792', ratio: '3' });
    expect(imageFactorsOf('gpt-image-1')).toEqual([]);
  });

  it('holds tokens of a picture by size and quality, as many as were asked for', () => {
    expect(
      parsed({ model: 'gpt-image-1', prompt: 'x', quality: 'low', size: '1024x1024', n: 3 }).shape,
    ).toMatchObject({
      choices: 3,
      heldOutput: { tokens: 272, kind: 'image' },
    });
    expect(parsed({ model: 'gpt-image-1', prompt: 'x', partial_images: 2 }).shape.heldOutput?.tokens).toBe(
      6_440,
    );
  });

  it.each(['unheard-of', 'constructor', '__proto__'])(
    'holds as for the dearest picture, and charges the middle one, where the quality is %j',
    (quality) => {
      const { shape } = parsed({ model: 'gpt-image-1', prompt: 'x', quality, size: '1024x1024' });
      expect(shape.heldOutput).toEqual({ tokens: 4_160, kind: 'image' });
      expect(tokensOfMade(shape, undefined, undefined)).toBe(1_056);
      expect(tokensOfMade(shape, 'low', '1536x1024')).toBe(408);
    },
  );

  it('counts each of the pictures sent along', () => {
    const plain = edited(
      ['model', 'gpt-image-1'],
      ['prompt', 'x'],
      ['image[]', 'A', 'a.png'],
      ['image[]', 'B', 'b.png'],
    );
    expect(plain.shape.promptTokens).toBe(1 + 2 * 800);
    const close = edited(
      ['model', 'm'],
      ['prompt', 'x'],
      ['image', 'A', 'a.png'],
      ['input_fidelity', 'high'],
    );
    expect(close.shape.promptTokens).toBe(1 + 6_500);
    const json = openaiImageEdits.parseCall(
      Buffer.from(
        '{"model":"m","prompt":"x","images":[{"image_url":"data:image/png;base64,AA"},{"file_id":"f"}]}',
      ),
      JSON_TARGET,
    );
    expect(json).toMatchObject({ ok: true, value: { shape: { promptTokens: 1 + 2 * 800 } } });
  });
});

describe('requests', () => {
  it.each([
    [{ prompt: 'x' }, 'model'],
    [{ model: 'm' }, 'prompt'],
    [{ model: 'm', prompt: 5 }, 'prompt'],
    [{ model: 'm', prompt: 'x', n: 0 }, 'n'],
    [{ model: 'm', prompt: 'x', n: '2' }, 'n'],
    [{ model: 'm', prompt: 'x', partial_images: 4 }, 'partial_images'],
    [{ model: 'm', prompt: 'x', stream: 'yes' }, 'stream'],
    [{ model: 'm', prompt: 'x', size: '1024×1024' }, 'size'],
  ])('%j is refused, naming the field [RLY-04]', (body, param) => {
    expect(parse(body)).toMatchObject({ ok: false, error: { kind: 'invalid-request', param } });
  });

  it('edits and variations need a picture', () => {
    expect(openaiImageEdits.parseCall(form(['model', 'm'], ['prompt', 'x']), FORM_TARGET)).toMatchObject({
      ok: false,
      error: { param: 'image' },
    });
    expect(openaiImageVariations.parseCall(form(['n', '1']), FORM_TARGET)).toMatchObject({
      error: { param: 'image' },
    });
  });

  it('passes them with the upstream model name and nothing else changed', () => {
    const sent = openaiImages.spliceRequest(
      parsed({ model: 'm', prompt: 'x', own: { a: 1 }, api_base: 'evil' }),
      EDITS,
    );
    expect(JSON.parse(sent.toString())).toEqual({ model: 'mapped', prompt: 'x', own: { a: 1 } });
    const call = edited(
      ['model', 'm'],
      ['prompt', 'x'],
      ['image', '\u0000\r\n--', 'a.png'],
      ['proxy', 'evil'],
    );
    const body = openaiImageEdits.spliceRequest(call, EDITS);
    expect(body.toString('latin1')).toBe(
      form(['model', 'mapped'], ['prompt', 'x'], ['image', '\u0000\r\n--', 'a.png']).toString('latin1'),
    );
    expect(call.contentType).toBe('multipart/form-data; boundary=b');
  });

  it('gives the same on the translated path', () => {
    const asked = {
      model: 'm',
      prompt: 'x',
      n: 2,
      size: '1024x1024',
      quality: 'hd',
      response_format: 'b64_json',
      user: 'u',
      moderation: 'low',
    };
    const { body, warnings } = openaiImages.writeRequest(neutralOf(parsed(asked)), EDITS);
    expect(JSON.parse(body.toString())).toEqual({ ...asked, model: 'mapped' });
    expect(warnings).toEqual([]);
  });

  it('writes one with files as a form the same reader understands alike', () => {
    const call = edited(
      ['model', 'm'],
      ['prompt', 'x'],
      ['image[]', 'AB', 'a.png'],
      ['image[]', 'CD', 'b.png'],
      ['mask', 'EF', 'm.png'],
      ['output_compression', '50'],
    );
    const written = openaiImageEdits.writeRequest(neutralOf(call), EDITS);
    const target = { ...JSON_TARGET, headers: { 'content-type': written.contentType ?? '' } };
    const again = openaiImageEdits.parseCall(written.body, target);
    if (!again.ok) throw new Error(again.error.message);
    expect(neutralOf(again.value)).toEqual({ ...neutralOf(call), model: 'mapped' });
  });
});

describe('replies', () => {
  const call = parsed({ model: 'gpt-image-1', prompt: 'x', n: 2 });
  const meterOf = (text: string) => {
    const meter = openaiImages.openMeter(call);
    return { verdict: meter.readWhole(Buffer.from(text)), meter };
  };

  it.each([
    ['{"data":[{"b64_json":"AAAA"},{"url":"https://x"}]}', 'answer', 2],
    ['{"data":[{"url":"https://x"},{"error":{"code":"blocked"}},{"url":""}]}', 'answer', 1],
    ['{"data":[]}', 'empty', 0],
    ['{"data":[{"url":null}]}', 'empty', 0],
    ['{}', 'empty', 0],
    ['{"error":{"message":"no"}}', 'error', 0],
    ['{"data":[{"url":"x"}', 'malformed', 1],
    ['<html>', 'malformed', 0],
  ])('%s is %s with %d pictures', (text, verdict, units) => {
    const result = meterOf(text);
    expect(result.verdict).toBe(verdict);
    expect(result.meter.units).toBe(units);
  });

  it('takes an impossible report, or one of no use, for none [UP-01]', () => {
    const lie = meterOf('{"data":[{"url":"x"}],"usage":{"input_tokens":-1,"output_tokens":5}}').meter;
    expect([lie.usage, lie.usageIsInvalid]).toEqual([undefined, true]);
    const zero = meterOf('{"data":[{"url":"x"}],"usage":{"input_tokens":0,"output_tokens":0}}').meter;
    expect([zero.usage, zero.usageIsInvalid]).toEqual([undefined, false]);
    expect(zero.ownCount()).toMatchObject({ output: { total: 1_056 } });
    const told = meterOf('{"data":[{"url":"x"}],"quality":"high","size":"1536x1024"}').meter;
    expect(told.ownCount()).toMatchObject({ output: { total: 6_240 } });
  });

  it.each([
    [{ quality: 'low', size: '1024x1024' }, 272],
    [{ quality: 'high', size: '1024x1536' }, 6_240],
    [{ quality: 'high' }, 4_160],
    [{ quality: 'auto', size: 'auto' }, 1_056],
    [{}, 1_056],
  ])('an image without a report costs the requested size: %j', (asked, tokens) => {
    const meter = openaiImages.openMeter(parsed({ model: 'gpt-image-1', prompt: 'x', ...asked }));
    meter.readWhole(Buffer.from('{"data":[{"url":"x"}]}'));
    expect(meter.ownCount()).toMatchObject({ output: { total: tokens } });
  });

  it('carries them through the neutral model', () => {
    const document = {
      created: 5,
      data: [{ b64_json: 'AAAA', revised_prompt: 'A cat.' }, { url: 'https://x/1.png' }],
      usage: {
        total_tokens: 30,
        input_tokens: 10,
        output_tokens: 20,
        input_tokens_details: { text_tokens: 4, image_tokens: 6 },
      },
      background: 'opaque',
    };
    const read = openaiImages.readReply(Buffer.from(JSON.stringify(document)), call);
    if (!read.ok) throw new Error(read.error.message);
    expect(JSON.parse(openaiImages.writeReply(read.value, CONTEXT, call).toString())).toEqual(document);
  });

  it('streamed give the same figures whichever way they go', () => {
    const events = [
      { type: 'image_generation.partial_image', b64_json: 'AA', partial_image_index: 0 },
      { type: 'image_generation.completed', b64_json: 'AAAA', usage: { input_tokens: 3, output_tokens: 9 } },
    ];
    const meter = openaiImages.openMeter(call);
    const reader = openaiImages.openReplyReader?.(call);
    const writer = openaiImages.openReplyWriter?.(CONTEXT, call);
    let frames = '';
    const verdicts = events.map((event) => {
      const data = Buffer.from(JSON.stringify(event));
      for (const one of reader?.read(data.toString(), '') ?? []) frames += writer?.write(one) ?? '';
      return meter.readEvent(data, 0, data.length, '');
    });
    frames += writer?.end() ?? '';
    expect(verdicts).toEqual(['content', 'content']);
    expect(meter).toMatchObject({
      units: 1,
      hasFinish: true,
      usage: { input: { total: 3 }, output: { total: 9 } },
    });
    expect(frames).toContain('event: image_generation.partial_image\n');
    const last = JSON.parse(frames.split('data: ').at(-1) ?? '') as Record<string, unknown>;
    expect(last).toMatchObject({
      type: 'image_generation.completed',
      b64_json: 'AAAA',
      usage: { input_tokens: 3, output_tokens: 9, total_tokens: 12 },
    });
  });

  it('reports an error event in the stream as a failure', () => {
    const meter = openaiImages.openMeter(call);
    const data = Buffer.from('{"type":"error","error":{"message":"blocked"}}');
    expect(meter.readEvent(data, 0, data.length, '')).toBe('error');
    expect(meter.errorDocument).toMatchObject({ error: { message: 'blocked' } });
  });
});
