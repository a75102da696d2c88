import { Injectable } from '@nestjs/common';
import type { TaskPlatform } from '../../relay-core/model/task.js';
import type { Document } from '../../relay-core/formats/shared/fields/json-fields.js';
import { drawingTransition } from './drawing-transition.js';
import type { DrawingEntity } from './drawing.entity.js';
import { DrawingsRepository } from './drawings.repository.js';
import type { TaskQuestion } from './task-account.js';
import type { TaskEntity } from './task.entity.js';
import type { TaskRow, TaskRows } from './task-rows.js';
import { TasksRepository } from './tasks.repository.js';
import { differing, storedJson, storedMoment, storedText, type TaskTransition } from './vendor-record.js';
import { NO_REASON_GIVEN, OVERDUE, TASK_LIMIT_MS, UNNAMED } from './task-reasons.js';
import { TASK_STATUS } from './task.codes.js';

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

/** Differences between drawings and songs, for code that treats them alike. */
export interface TaskKind<Row extends TaskRow> {
  readonly platform: TaskPlatform;
  /** Name in messages. */
  readonly noun: string;
  readonly rows: TaskRows<Row>;
  /** Milliseconds per unit of the table's times. */
  readonly unitMs: number;
  /** The upstream's name of a task. */
  readonly nameOf: (row: Row) => string;
  /** Names the tasks of an answer. */
  readonly idMember: string;
  /** Tasks one question may name. */
  readonly idsAtOnce: number;
  readonly question: (ids: readonly string[], key: string) => TaskQuestion;
  readonly decide: (row: Row, record: Document | undefined, nowMs: number) => TaskTransition<Row>;
  /** Columns that change with every failure. */
  readonly failed: (nowMs: number) => Partial<Row>;
}

/** The kinds of tasks there are. */
@Injectable()
export class TaskKinds {
  readonly drawings: TaskKind<DrawingEntity>;
  readonly tasks: TaskKind<TaskEntity>;

  constructor(drawings: DrawingsRepository, tasks: TasksRepository) {
    this.drawings = {
      platform: 'midjourney',
      noun: 'Drawing',
      rows: drawings,
      unitMs: 1,
      idMember: 'id',
      nameOf: (row) => row.mjId,
      idsAtOnce: 100,
      question: (ids, key) => ({
        method: 'POST',
        path: '/mj/task/list-by-condition',
        headers: { 'mj-api-secret': key },
        body: { ids },
      }),
      decide: drawingTransition,
      failed: (nowMs) => ({ progress: '100%', finishTime: nowMs }),
    };
    this.tasks = {
      platform: 'suno',
      noun: 'Song',
      rows: tasks,
      unitMs: 1_000,
      idMember: 'task_id',
      nameOf: (row) => row.taskId,
      idsAtOnce: 500,
      question: (ids, key) => ({
        method: 'POST',
        path: '/suno/fetch',
        headers: { authorization: `Bearer ${key}` },
        body: { ids },
      }),
      decide: taskTransition,
      failed: (nowMs) => {
        const seconds = Math.floor(nowMs / 1000);
        return { progress: '100%', finishTime: seconds, updatedAt: seconds };
      },
    };
  }
}

/**
 * Next state of an unfinished song.
 * @param record  the vendor's report; undefined = none
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
