import { describe, expect, it } from '@jest/globals';
import type { DrawingEntity } from './drawing.entity.js';
import { presentRelayDrawing, presentRelayTask } from './task-reader.js';
import type { TaskEntity } from './task.entity.js';

const DRAWING = {
  mjId: 'mj-1',
  action: 'IMAGINE',
  prompt: 'a cat',
  status: 'SUCCESS',
  channelId: 9,
  userId: 3,
  videoUrls: '["https://v.example/1.mp4",7,"https://v.example/2.mp4"]',
  buttons: '[{"label":"U1"}]',
  properties: '{"finalPrompt":"a cat"}',
} as unknown as DrawingEntity;

describe('presentRelayDrawing', () => {
  it('shows the image at its address, and the videos that are addresses', () => {
    expect(presentRelayDrawing(DRAWING, 'https://here/mj/image/1')).toMatchObject({
      id: 'mj-1',
      imageUrl: 'https://here/mj/image/1',
      videoUrl: 'https://v.example/1.mp4',
      videoUrls: [{ url: 'https://v.example/1.mp4' }, { url: 'https://v.example/2.mp4' }],
      buttons: [{ label: 'U1' }],
      properties: { finalPrompt: 'a cat' },
    });
  });

  it('keeps channel and account inside', () => {
    const names = Object.keys(presentRelayDrawing(DRAWING, ''));
    expect(names.filter((name) => /channel|user|token|quota/i.test(name))).toEqual([]);
  });

  it('shows a record with damaged columns all the same', () => {
    const row = { ...DRAWING, videoUrls: '', buttons: '{', properties: '' } as DrawingEntity;
    expect(presentRelayDrawing(row, '')).toMatchObject({
      videoUrl: '',
      videoUrls: [],
      buttons: [],
      properties: null,
    });
  });
});

describe('presentRelayTask', () => {
  it.each([
    ['[{"audio_url":"x"}]', [{ audio_url: 'x' }]],
    ['', null],
    ['{', null],
  ])('shows the data %j of a song as a value', (data, shown) => {
    const row = { taskId: 't', platform: 'suno', status: 'SUCCESS', channelId: 9, data } as TaskEntity;
    const task = presentRelayTask(row);
    expect(task).toMatchObject({ task_id: 't', platform: 'suno', status: 'SUCCESS', data: shown });
    expect(task).not.toHaveProperty('channelId');
  });
});
