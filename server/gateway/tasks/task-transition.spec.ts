import { describe, expect, it } from '@jest/globals';
import { taskTransition } from './task-kinds.js';
import { OVERDUE, UNNAMED, NO_REASON_GIVEN } from './task-reasons.js';
import { TaskEntity } from './task.entity.js';

const NOW = 1_800_000_000;

const decide = (record?: Record<string, unknown>, parts: Partial<TaskEntity> = {}) => {
  const row = {
    id: 1,
    taskId: 's',
    status: 'SUBMITTED',
    progress: '0%',
    submitTime: NOW,
    finishTime: 0,
    data: '',
  };
  return taskTransition(Object.assign(new TaskEntity(), row, parts), record, NOW * 1_000);
};

describe('what becomes of a song', () => {
  it('changes nothing without news, and dates news', () => {
    for (const record of [undefined, {}, { status: 'SUBMITTED', data: null }])
      expect(decide(record)).toEqual({ kind: 'keep' });
    expect(decide({ status: 'QUEUED', progress: '5%', start_time: 7.9 })).toEqual({
      kind: 'change',
      changes: { status: 'QUEUED', progress: '5%', startTime: 7, updatedAt: NOW },
    });
  });

  it('fails on a reason or FAILURE', () => {
    expect(decide({ fail_reason: 'no', status: 'IN_PROGRESS' })).toMatchObject({
      kind: 'fail',
      reason: 'no',
    });
    for (const status of ['FAILURE', 'CANCEL'])
      expect(decide({ status })).toMatchObject({ reason: NO_REASON_GIVEN });
  });

  it('success is whole and has its end', () => {
    expect(decide({ status: 'SUCCESS', data: [{ id: 'c' }] })).toEqual({
      kind: 'change',
      changes: {
        status: 'SUCCESS',
        data: '[{"id":"c"}]',
        progress: '100%',
        finishTime: NOW,
        updatedAt: NOW,
      },
    });
  });

  it('fails it after one hour, or without a name', () => {
    expect(decide(undefined, { submitTime: NOW - 3_601 })).toMatchObject({ kind: 'fail', reason: OVERDUE });
    expect(decide({}, { submitTime: NOW - 3_600 })).toEqual({ kind: 'keep' });
    expect(decide({}, { taskId: '' })).toMatchObject({ reason: UNNAMED });
  });
});
