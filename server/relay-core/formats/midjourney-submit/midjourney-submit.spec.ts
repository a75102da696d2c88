import { describe, expect, it } from '@jest/globals';
import { aTarget } from '../../../../test/support/relay-calls.js';
import type { ParsedCall } from '../contract/api-format.js';
import { actionOfButton, readSimpleChange } from './drawing-kinds.js';
import { midjourneyProxy, midjourneySubmit } from './index.js';
import { DRAWING_KINDS } from './drawing-kinds.js';

const CONTEXT = { callId: 'call', createdAtSeconds: 0, model: 'mj_imagine', wantsStreamUsage: false };

const kindAt = (path: string) => {
  const kind = DRAWING_KINDS.find((one) => one.path === path);
  if (kind === undefined) throw new Error(`nothing at ${path}`);
  return kind;
};
const parse = (path: string, body: unknown) =>
  midjourneySubmit(kindAt(path)).parseCall(Buffer.from(JSON.stringify(body)), aTarget());

function submission(path: string, body: unknown): ParsedCall<'submit'> {
  const parsed = parse(path, body);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe('what a submission of a drawing asks for', () => {
  it.each([
    ['/mj/submit/imagine', { prompt: 'a cat' }, 'mj_imagine', 'IMAGINE', undefined],
    ['/mj/submit/change', { taskId: '7', action: 'UPSCALE', index: 2 }, 'mj_upscale', 'UPSCALE', '7'],
    ['/mj/submit/change', { taskId: 7, action: 'reroll' }, 'mj_reroll', 'REROLL', '7'],
    ['/mj/submit/simple-change', { content: '132 v3' }, 'mj_variation', 'VARIATION', '132'],
    [
      '/mj/submit/action',
      { taskId: '7', customId: 'MJ::JOB::low_variation::1::abc' },
      'mj_low_variation',
      'LOW_VARIATION',
      '7',
    ],
    ['/mj/submit/modal', { taskId: '7', prompt: 'x' }, 'mj_modal', 'MODAL', '7'],
    ['/mj/submit/shorten', { prompt: 'a long cat' }, 'mj_shorten', 'SHORTEN', undefined],
    ['/mj/submit/describe', { base64: 'data:image/png;base64,AA==' }, 'mj_describe', 'DESCRIBE', undefined],
    ['/mj/submit/blend', { base64Array: ['a', 'b'] }, 'mj_blend', 'BLEND', undefined],
    ['/mj/submit/edits', { prompt: 'x', image: 'y' }, 'mj_edits', 'EDITS', undefined],
    ['/mj/submit/video', { taskId: '7' }, 'mj_video', 'VIDEO', '7'],
    ['/mj/submit/video', { prompt: 'x', image: 'y' }, 'mj_video', 'VIDEO', undefined],
    ['/mj/submit/upload-discord-images', { base64Array: ['a'] }, 'mj_upload', 'UPLOAD', undefined],
    ['/mj/insight-face/swap', { sourceBase64: 'a', targetBase64: 'b' }, 'swap_face', 'SWAP_FACE', undefined],
  ])('%s %j is %s', (path, body, model, action, taskId) => {
    const { shape } = submission(path, body);
    expect(shape).toMatchObject({ operation: 'submit', model, stream: false, submission: { path, action } });
    expect(shape.submission?.origin?.taskId).toBe(taskId);
  });

  it('only a window waits for a drawing that is not finished', () => {
    const needs = (path: string, body: object) =>
      submission(path, body).shape.submission?.origin?.needsSuccess;
    expect(needs('/mj/submit/modal', { taskId: '7' })).toBe(false);
    expect(needs('/mj/submit/change', { taskId: '7', action: 'UPSCALE', index: 1 })).toBe(true);
  });

  it.each([
    ['/mj/submit/imagine', {}, 'prompt'],
    ['/mj/submit/imagine', { prompt: '' }, 'prompt'],
    ['/mj/submit/change', { action: 'UPSCALE', index: 1 }, 'taskId'],
    ['/mj/submit/change', { taskId: '7', index: 1 }, 'action'],
    ['/mj/submit/change', { taskId: '7', action: 'FLY', index: 1 }, 'action'],
    ['/mj/submit/change', { taskId: '7', action: 'UPSCALE', index: 5 }, 'index'],
    ['/mj/submit/change', { taskId: '7', action: 'UPSCALE' }, 'index'],
    ['/mj/submit/change', { taskId: 'x'.repeat(129), action: 'REROLL' }, 'taskId'],
    ['/mj/submit/change', { taskId: {}, action: 'REROLL' }, 'taskId'],
    ['/mj/submit/simple-change', { content: '132 U5' }, 'content'],
    ['/mj/submit/simple-change', {}, 'content'],
    ['/mj/submit/action', { taskId: '7', customId: 'MJ::JOB::explode::1' }, 'customId'],
    ['/mj/submit/action', { customId: 'MJ::JOB::reroll::0::abc::SOLO' }, 'taskId'],
    ['/mj/submit/blend', { base64Array: [] }, 'base64Array'],
    ['/mj/insight-face/swap', { sourceBase64: 'a' }, 'targetBase64'],
    ['/mj/submit/video', {}, 'taskId'],
  ])('%s %j names the member at fault: %s', (path, body, param) => {
    expect(parse(path, body)).toMatchObject({ ok: false, error: { kind: 'invalid-request', param } });
  });

  it.each([
    ['MJ::JOB::upsample::2::3dbb', 'UPSCALE'],
    ['MJ::JOB::upsample_v6_2x_subtle::1::3dbb::SOLO', 'UPSCALE'],
    ['MJ::JOB::variation::4::3dbb', 'VARIATION'],
    ['MJ::JOB::high_variation::1::3dbb::SOLO', 'HIGH_VARIATION'],
    ['MJ::JOB::pan_left::1::3dbb::SOLO', 'PAN'],
    ['MJ::JOB::reroll::0::3dbb::SOLO', 'REROLL'],
    ['MJ::Outpaint::50::1::3dbb::SOLO', 'ZOOM'],
    ['MJ::CustomZoom::3dbb', 'CUSTOM_ZOOM'],
    ['MJ::Inpaint::1::3dbb::SOLO', 'INPAINT'],
    ['MJ::JOB', undefined],
    ['', undefined],
  ])('the button %s is %s', (customId, action) => {
    expect(actionOfButton(customId)).toBe(action);
  });

  it('reads a simple change as an id and a letter', () => {
    expect(readSimpleChange(' 13 U2 ')).toEqual({ taskId: '13', action: 'UPSCALE' });
    expect(readSimpleChange('13 r')).toEqual({ taskId: '13', action: 'REROLL' });
    expect(readSimpleChange('13R')).toBeUndefined();
  });
});

describe('the vendor’s answers to it', () => {
  const call = submission('/mj/submit/imagine', { prompt: 'a cat', state: 'mine' });
  const meterOf = (document: unknown) => {
    const meter = midjourneyProxy.openMeter(call);
    return { verdict: meter.readWhole(Buffer.from(JSON.stringify(document))), meter };
  };

  it.each([1, 21, 22])('code %d: it was taken on', (code) => {
    const { verdict, meter } = meterOf({ code, description: 'ok', result: '14', properties: {} });
    expect(verdict).toBe('answer');
    expect(meter.task).toMatchObject({
      platform: 'midjourney',
      id: '14',
      action: 'IMAGINE',
      code,
      prompt: 'a cat',
      state: 'mine',
      isFinished: false,
    });
  });

  it('code 21 with a finished drawing is finished', () => {
    const properties = { status: 'SUCCESS', imageUrl: 'https://cdn.example/1.png' };
    const { meter } = meterOf({ code: 21, result: '14', properties });
    expect(meter.task).toMatchObject({ isFinished: true, imageUrl: 'https://cdn.example/1.png' });
  });

  it('pictures that were only handed on are finished, and have no name', () => {
    const { meter } = meterOf({ code: 1, result: ['https://cdn.example/2.png'] });
    expect(meter.task).toMatchObject({ id: '', isFinished: true, imageUrl: 'https://cdn.example/2.png' });
  });

  it.each([
    [{ code: 3, description: 'no account' }],
    [{ code: 24, description: 'banned word' }],
    [{ code: 1 }],
    [{ code: 1, result: '' }],
    [{ code: 1, result: 'x'.repeat(129) }],
    [{ code: '1', result: '14' }],
    [{}],
  ])('%j: it was not', (document) => {
    const { verdict, meter } = meterOf(document);
    expect(verdict).toBe('error');
    expect(meter.task).toBeUndefined();
    expect(meter.errorDocument).toEqual(document);
  });

  it('fails on anything but a JSON object', () => {
    for (const text of ['', '[]', '1', '{', '<html>'])
      expect(midjourneyProxy.openMeter(call).readWhole(Buffer.from(text))).toBe('malformed');
  });

  it('reports queued and known ones as accepted, but where a window has to be opened', () => {
    const told = (of: ParsedCall<'submit'>, code: number) => {
      const document = { code, result: '14', description: 'd' };
      const apiFormat = midjourneySubmit(kindAt(of.shape.submission?.path ?? ''));
      return (JSON.parse(apiFormat.writeReply({ document }, CONTEXT, of).toString()) as { code: number })
        .code;
    };
    const inpaint = submission('/mj/submit/action', { taskId: '7', customId: 'MJ::Inpaint::1::3dbb::SOLO' });
    expect([1, 21, 22].map((code) => told(call, code))).toEqual([1, 1, 1]);
    expect([1, 21, 22].map((code) => told(inpaint, code))).toEqual([1, 21, 1]);
  });
});
