import type { EntityManager } from 'typeorm';
import { DrawingEntity } from './drawing.entity.js';
import { MAX_TASK_ID_CHARACTERS } from './task.codes.js';
import { TaskEntity } from './task.entity.js';

/** A finished drawing or task of another gateway: history, which nothing asks an upstream about. */
export interface ImportedTask {
  readonly kind: 'drawing' | 'task';
  readonly upstreamId: string;
  readonly status: 'SUCCESS' | 'FAILURE';
  readonly action: string;
  /** Empty for drawings. */
  readonly platform: string;
  readonly prompt: string;
  readonly failReason: string;
  /** Milliseconds since 1970; 0 = not known. */
  readonly submittedAtMs: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  readonly imageUrl: string;
  /** JSON; empty = none. */
  readonly properties: string;
  readonly data: string;
  readonly quota: number;
}

/** @returns the number of its row */
export async function insertImportedTask(
  manager: EntityManager,
  task: ImportedTask,
  owner: {
    readonly requestId: string;
    readonly userId: number;
    readonly tokenId: number;
    readonly channelId: number;
  },
): Promise<number> {
  const cut = (text: string, length: number): string => [...text].slice(0, length).join('');
  const common = {
    ...owner,
    tokenLimited: 0,
    action: cut(task.action, 40),
    status: task.status,
    failReason: task.failReason,
    quota: task.quota,
    progress: '100%',
    properties: task.properties,
    logPending: 0,
  };
  if (task.kind === 'drawing') {
    const rows = manager.getRepository(DrawingEntity);
    const row = rows.create({
      ...common,
      code: 1,
      mjId: cut(task.upstreamId, MAX_TASK_ID_CHARACTERS),
      prompt: task.prompt,
      promptEn: '',
      description: '',
      state: '',
      submitTime: task.submittedAtMs,
      startTime: task.startedAtMs,
      finishTime: task.finishedAtMs,
      imageUrl: task.imageUrl,
      videoUrls: '',
      buttons: '',
    });
    await rows.insert(row);
    return row.id;
  }
  const seconds = (ms: number): number => Math.floor(ms / 1_000);
  const rows = manager.getRepository(TaskEntity);
  const row = rows.create({
    ...common,
    taskId: cut(task.upstreamId, MAX_TASK_ID_CHARACTERS),
    platform: cut(task.platform, 30),
    data: task.data,
    createdAt: seconds(task.submittedAtMs),
    updatedAt: seconds(task.finishedAtMs),
    submitTime: seconds(task.submittedAtMs),
    startTime: seconds(task.startedAtMs),
    finishTime: seconds(task.finishedAtMs),
  });
  await rows.insert(row);
  return row.id;
}
