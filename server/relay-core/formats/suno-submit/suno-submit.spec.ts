import { describe, expect, it } from '@jest/globals';
import { aTarget, someEdits } from '../../../../test/support/relay-calls.js';
import { type MUSIC_TASKS, sunoApi, sunoSubmit } from './index.js';

const parse = (task: (typeof MUSIC_TASKS)[number], body: unknown) =>
  sunoSubmit(task).parseCall(Buffer.from(JSON.stringify(body)), aTarget());

function song(body: unknown) {
  const parsed = parse('MUSIC', body);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe('submissions of songs', () => {
  it('the address names the task, in whichever case, and is passed on as it was', () => {
    expect(song({ gpt_description_prompt: 'a song' }).shape).toMatchObject({
      operation: 'submit',
      model: 'suno_music',
      submission: { path: '/suno/submit/MUSIC', action: 'MUSIC', prompt: 'a song' },
    });
    const lyrics = parse('lyrics', { prompt: 'rain' });
    expect(lyrics.ok && lyrics.value.shape).toMatchObject({
      model: 'suno_lyrics',
      submission: { path: '/suno/submit/lyrics', action: 'LYRICS' },
    });
  });

  it('a song that goes on names the task it goes on from', () => {
    const { shape } = song({ task_id: 't-1', continue_clip_id: 'c', continue_at: 30 });
    expect(shape.submission?.origin).toEqual({ platform: 'suno', taskId: 't-1', needsSuccess: false });
  });

  it.each<['MUSIC' | 'LYRICS', object, string]>([
    ['LYRICS', {}, 'prompt'],
    ['MUSIC', { continue_clip_id: 'c' }, 'task_id'],
    ['MUSIC', { task_id: 'x'.repeat(129) }, 'task_id'],
  ])('%s %j is refused', (action, body, param) => {
    const parsed = parse(action, body);
    expect(parsed).toMatchObject({ ok: false, error: { kind: 'invalid-request' } });
    expect(!parsed.ok && 'param' in parsed.error ? parsed.error.param : undefined).toBe(param);
  });

  it('a song without a voice gets the usual one; what steers a gateway is left out', () => {
    const edits = someEdits({ upstreamModel: 'suno_music', dropStreamOptions: true });
    const written = (body: object): unknown =>
      JSON.parse(sunoApi.writeRequest({ body: { ...body } }, edits).body.toString());
    expect(written({ prompt: 'x', api_base: 'http://other' })).toEqual({ prompt: 'x', mv: 'chirp-v3-0' });
    expect(written({ prompt: 'x', mv: 'chirp-v4' })).toEqual({ prompt: 'x', mv: 'chirp-v4' });
  });

  it('accepts only "success" with the name of a task', () => {
    const meterOf = (document: unknown) => {
      const meter = sunoApi.openMeter(song({ prompt: 'x' }));
      return { verdict: meter.readWhole(Buffer.from(JSON.stringify(document))), task: meter.task };
    };
    const taken = meterOf({ code: 'success', message: '', data: 'task-1' });
    expect(taken).toMatchObject({ verdict: 'answer', task: { platform: 'suno', id: 'task-1', code: 0 } });
    for (const refused of [
      { code: 'error', message: 'no' },
      { code: 'success' },
      { code: 'success', data: {} },
    ])
      expect(meterOf(refused)).toEqual({ verdict: 'error', task: undefined });
  });
});
