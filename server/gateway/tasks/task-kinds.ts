import { Injectable } from '@nestjs/common';
import type { TaskPlatform } from '../../relay-core/model/task.js';
import type { Document } from '../../relay-core/formats/shared/fields/json-fields.js';
import { drawingTransition } from './drawing-transition.js';
import { taskTransition } from './task-transition.js';
import type { DrawingEntity } from './drawing.entity.js';
import { DrawingsRepository } from './drawings.repository.js';
import type { TaskQuestion } from './task-account.js';
import type { TaskEntity } from './task.entity.js';
import type { TaskRow, TaskRows } from './task-rows.js';
import { TasksRepository } from './tasks.repository.js';
import type { TaskTransition } from './vendor-record.js';

/** Everything in which drawings and songs differ, for whoever treats them alike. */
export interface TaskKind<Row extends TaskRow> {
  readonly platform: TaskPlatform;
  /** As people are told. */
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
  /** What changes with every failure. */
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
