import type { Document } from '../../relay-core/formats/shared/fields/json-fields.js';
import { OVERDUE, TASK_LIMIT_MS, UNNAMED, NO_REASON_GIVEN } from './task-reasons.js';
import { TASK_STATUS } from './task.codes.js';
import type { TaskEntity } from './task.entity.js';
import { differing, storedJson, storedMoment, storedText, type TaskTransition } from './vendor-record.js';

const KNOWN_STATUSES: ReadonlySet<unknown> = new Set([
  'NOT_START',
  'SUBMITTED',
  'QUEUED',
  'IN_PROGRESS',
  'UNKNOWN',
  TASK_STATUS.success,
  TASK_STATUS.failure,
]);
const DONE = '100%';

/**
 * What becomes of an unfinished song.
 * @param record  the vendor's word on it; undefined = none
 */
export function taskTransition(
  row: TaskEntity,
  record: Document | undefined,
  nowMs: number,
): TaskTransition<TaskEntity> {
  if (row.taskId === '') return { kind: 'fail', reason: UNNAMED, changes: {} };
  const nowSeconds = Math.floor(nowMs / 1000);
  const changes = record === undefined ? {} : changesOf(row, record);
  const status = changes.status ?? row.status;
  const reason = record === undefined ? undefined : storedText(record['fail_reason']);
  if (status === TASK_STATUS.failure || reason !== undefined)
    return { kind: 'fail', reason: reason ?? NO_REASON_GIVEN, changes };
  if (status === TASK_STATUS.success) {
    const finishTime = changes.finishTime ?? (row.finishTime || nowSeconds);
    return { kind: 'change', changes: { ...changes, progress: DONE, finishTime, updatedAt: nowSeconds } };
  }
  if (nowMs - row.submitTime * 1000 > TASK_LIMIT_MS) return { kind: 'fail', reason: OVERDUE, changes };
  if (Object.keys(changes).length === 0) return { kind: 'keep' };
  return { kind: 'change', changes: { ...changes, updatedAt: nowSeconds } };
}

/** When it was submitted is our own word: filters and the time limit go by it. */
function changesOf(row: TaskEntity, record: Document): Partial<TaskEntity> {
  const { status } = record;
  const isCancelled = status === 'CANCEL';
  return differing(row, {
    status: isCancelled ? TASK_STATUS.failure : KNOWN_STATUSES.has(status) ? (status as string) : undefined,
    progress: storedText(record['progress'], 20),
    startTime: storedMoment(record['start_time']),
    finishTime: storedMoment(record['finish_time']),
    data: storedJson(record['data']),
  });
}
