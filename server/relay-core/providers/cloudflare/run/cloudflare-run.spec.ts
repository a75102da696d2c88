import { describe, expect, it } from '@jest/globals';
import { runPath } from '../provider.js';
import type { ImageRequest } from '../../../model/image.js';
import type { TranscriptionRequest } from '../../../model/speech.js';
import type { ParsedCall, RequestEdits } from '../../../formats/contract/api-format.js';
import { cloudflareImage, cloudflareTranscription } from './index.js';
import { someEdits } from '../../../../../test/support/relay-calls.js';

const edits = (upstreamModel: string): RequestEdits => someEdits({ upstreamModel, dropStreamOptions: true });
const SOUND: TranscriptionRequest = {
  task: 'transcribe',
  file: Buffer.from([1, 2, 3]),
  fileName: 'a.wav',
  mediaType: 'audio/wav',
  language: 'no',
};
const PICTURE: ImageRequest = {
  model: 'm',
  task: 'generate',
  prompt: 'a cat',
  images: [],
  count: 1,
  size: '512x768',
};
const NO_CALL = {} as ParsedCall<'transcribe'> & ParsedCall<'image'>;

describe('settings that Cloudflare does not have', () => {
  it('names them, for images and for sound', () => {
    const seed = { 'openai-images': { seed: 7 } };
    const image = cloudflareImage.writeRequest({ ...PICTURE, vendorOptions: seed }, edits('@cf/x/flux'));
    expect(image.warnings.map(({ setting }) => setting)).toEqual(['seed']);
    const times = { 'openai-transcription': { timestamp_granularities: ['word'] } };
    for (const model of ['@cf/openai/whisper', '@cf/openai/whisper-large-v3-turbo']) {
      const sound = cloudflareTranscription.writeRequest({ ...SOUND, vendorOptions: times }, edits(model));
      expect(sound.warnings.map(({ setting }) => setting)).toContain('timestamp_granularities');
    }
  });
});

describe('speech to text', () => {
  it('older models get the bytes, newer ones base64 with the language', () => {
    const plain = cloudflareTranscription.writeRequest(SOUND, edits('@cf/openai/whisper'));
    expect([plain.body, plain.contentType, plain.warnings.length]).toEqual([
      SOUND.file,
      'application/octet-stream',
      1,
    ]);
    const turbo = cloudflareTranscription.writeRequest(SOUND, edits('@cf/openai/whisper-large-v3-turbo'));
    expect(JSON.parse(turbo.body.toString())).toEqual({ audio: 'AQID', task: 'transcribe', language: 'no' });
    expect(turbo.contentType).toBeUndefined();
  });

  it.each([
    ['{"result":{"text":"hello"},"success":true}', 'answer'],
    ['{"result":{"text":""},"success":true}', 'empty'],
    ['{"success":false,"errors":[{"message":"no"}]}', 'error'],
    ['<html>', 'malformed'],
  ])('%s is %s', (body, verdict) => {
    const meter = cloudflareTranscription.openMeter(NO_CALL);
    expect(meter.readWhole(Buffer.from(body))).toBe(verdict);
    if (verdict !== 'answer') return;
    expect(meter.produced.keptText()).toBe('hello');
    expect(cloudflareTranscription.readReply(Buffer.from(body), NO_CALL)).toMatchObject({
      value: { text: 'hello' },
    });
  });
});

describe('pictures', () => {
  it('asks for one picture of a size, and refuses more', () => {
    const { body } = cloudflareImage.writeRequest(PICTURE, edits('@cf/black-forest-labs/flux-1-schnell'));
    expect(JSON.parse(body.toString())).toEqual({ prompt: 'a cat', width: 512, height: 768 });
    expect(cloudflareImage.refuseRequest?.({ ...PICTURE, count: 2 })).toMatchObject({ param: 'n' });
    expect(cloudflareImage.refuseRequest?.({ ...PICTURE, task: 'edit' })).toMatchObject({ param: 'image' });
    expect(cloudflareImage.refuseRequest?.(PICTURE)).toBeUndefined();
  });

  it.each([
    [Buffer.from('{"result":{"image":"/9j/AA=="},"success":true}'), 'image/jpeg', '/9j/AA=='],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'image/png', 'iVBORw=='],
  ])('%#: as base64 in JSON, or as bytes', (body, mediaType, base64) => {
    const meter = cloudflareImage.openMeter(NO_CALL);
    expect([meter.readWhole(body), meter.units]).toEqual(['answer', 1]);
    expect(cloudflareImage.readReply(body, NO_CALL)).toMatchObject({
      value: { images: [{ source: { kind: 'base64', base64, mediaType } }] },
    });
  });

  it('reads a failure as an error', () => {
    const meter = cloudflareImage.openMeter(NO_CALL);
    expect(meter.readWhole(Buffer.from('{"success":false,"errors":[{"message":"no"}]}'))).toBe('error');
    expect(cloudflareImage.readReply(Buffer.from('{"success":false}'), NO_CALL).ok).toBe(false);
  });
});

it.each([
  ['@cf/openai/whisper', '/accounts/a%2Fb/ai/run/@cf/openai/whisper'],
  ['@cf/../../x', '/accounts/a%2Fb/ai/run/%40cf%2F..%2F..%2Fx'],
  ['own', '/accounts/a%2Fb/ai/run/own'],
])('the path of %s is %s', (upstreamModel, expected) => {
  expect(runPath('/accounts/{account}/ai/run/{model}', { upstreamModel, other: 'a/b' })).toBe(expected);
});
