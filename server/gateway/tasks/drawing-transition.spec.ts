import { describe, expect, it } from '@jest/globals';
import { drawingTransition } from './drawing-transition.js';
import { DrawingEntity } from './drawing.entity.js';
import { OVERDUE, TASK_LIMIT_MS, UNNAMED, NO_REASON_GIVEN } from './task-reasons.js';

const NOW_MS = 1_800_000_000_000;

const drawing = (parts: Partial<DrawingEntity> = {}): DrawingEntity =>
  Object.assign(new DrawingEntity(), {
    id: 1,
    mjId: 'm',
    status: 'SUBMITTED',
    progress: '0%',
    submitTime: NOW_MS,
    finishTime: 0,
    imageUrl: '',
    prompt: 'a cat',
    failReason: '',
    ...parts,
  });
const decide = (record?: Record<string, unknown>, parts?: Partial<DrawingEntity>) =>
  drawingTransition(drawing(parts), record, NOW_MS);

describe('what becomes of a drawing', () => {
  it('changes nothing without news', () => {
    expect(decide()).toEqual({ kind: 'keep' });
    expect(decide({})).toEqual({ kind: 'keep' });
    expect(decide({ status: 'SUBMITTED', progress: '0%', prompt: 'a cat' })).toEqual({ kind: 'keep' });
  });

  it('fails on a reason before 100 %, and on FAILURE and CANCEL at any progress', () => {
    expect(decide({ failReason: 'no', progress: '40%', status: 'SUCCESS' })).toMatchObject({ reason: 'no' });
    expect(decide({ failReason: 'no' })).toMatchObject({ kind: 'fail', reason: 'no' });
    for (const status of ['FAILURE', 'CANCEL'])
      expect(decide({ status, progress: '100%' })).toMatchObject({ kind: 'fail', reason: NO_REASON_GIVEN });
    expect(decide({ failReason: 'a word of warning', progress: '100%', status: 'SUCCESS' })).toMatchObject({
      kind: 'change',
    });
  });

  it('success is whole and has its end, whatever the upstream leaves out', () => {
    expect(decide({ status: 'SUCCESS' })).toEqual({
      kind: 'change',
      changes: { status: 'SUCCESS', progress: '100%', finishTime: NOW_MS },
    });
  });

  it('fails it after one hour, unless the upstream reports its end at that moment', () => {
    const old = { submitTime: NOW_MS - TASK_LIMIT_MS - 1 };
    expect(decide(undefined, old)).toMatchObject({ kind: 'fail', reason: OVERDUE });
    expect(decide({ status: 'IN_PROGRESS' }, old)).toMatchObject({ kind: 'fail', reason: OVERDUE });
    expect(decide({ status: 'SUCCESS' }, old)).toMatchObject({ kind: 'change' });
    expect(decide(undefined, { submitTime: NOW_MS - TASK_LIMIT_MS })).toEqual({ kind: 'keep' });
    // When it was submitted is our word, not the upstream's.
    expect(decide({ submitTime: NOW_MS + TASK_LIMIT_MS }, old)).toMatchObject({ reason: OVERDUE });
  });

  it('fails a drawing without a name at once', () => {
    expect(decide({ status: 'SUCCESS' }, { mjId: '' })).toEqual({
      kind: 'fail',
      reason: UNNAMED,
      changes: {},
    });
  });

  it('reads known fields and ignores the rest', () => {
    const record = {
      status: 'DANCING',
      progress: 5,
      startTime: '7',
      finishTime: Number.NaN,
      imageUrl: 'data:text/html,x',
      videoUrl: 'file:///etc/passwd',
      videoUrls: ['https://v.example/1', { url: 'https://v.example/2' }, 7],
      buttons: {},
      properties: [],
      description: 'd\0',
    };
    expect(decide(record)).toEqual({
      kind: 'change',
      changes: { description: 'd', videoUrls: '["https://v.example/1","https://v.example/2"]' },
    });
  });
});
