import { fromZero } from '../../common/query.js';
import { Injectable } from '@nestjs/common';
import { MAX_OFFSET } from '../../common/page.js';
import type { Actor } from '../../base/access/current-actor.js';
import type {
  DrawingsQuery,
  DrawingView,
  OwnDrawingsQuery,
  OwnTasksQuery,
  TasksQuery,
  TaskView,
} from './dto/task.dto.js';
import type { DrawingEntity } from './drawing.entity.js';
import { DrawingsRepository } from './drawings.repository.js';
import { TaskImageLinks } from './task-image-links.js';
import type { TaskEntity } from './task.entity.js';
import { TasksRepository } from './tasks.repository.js';
import { taskReasonIn } from '../../base/logs/task-reasons.js';
import type { Language } from '../../common/language.js';
import { parseJson } from '../../common/parse-json.js';
import { EnvelopeReply } from '../../common/envelope.js';

/** These lists have pages of ten, whatever the caller asks for; `console/src/api/page.ts` counts on it. */
const FIXED_PAGE_SIZE = 10;

/** One page of records, and how many there are in all: old clients read the members `items` and `total`. */
export interface TaskPage<View> {
  readonly items: readonly View[];
  readonly total: number;
}

/** The lists of drawings and tasks in the console, reasons in the reader's language. Ordinary users see their own, and no channel. */
@Injectable()
export class TaskLists {
  constructor(
    private readonly drawings: DrawingsRepository,
    private readonly tasks: TasksRepository,
    private readonly links: TaskImageLinks,
  ) {}

  async allDrawings(query: DrawingsQuery, language: Language): Promise<TaskPage<DrawingView>> {
    const { rows, total } = await this.findDrawings({ channelId: query.channel_id }, query);
    return { items: rows.map((row) => this.presentDrawing(row, language)), total };
  }

  async ownDrawings(
    actor: Actor,
    query: OwnDrawingsQuery,
    language: Language,
  ): Promise<TaskPage<DrawingView>> {
    const { rows, total } = await this.findDrawings({ userId: actor.id }, query);
    return { items: rows.map((row) => ({ ...this.presentDrawing(row, language), channel_id: 0 })), total };
  }

  async allTasks(query: TasksQuery, language: Language): Promise<TaskPage<TaskView>> {
    const { rows, total } = await this.findTasks({ channelId: query.channel_id }, query);
    return { items: rows.map((row) => presentTask(row, language)), total };
  }

  async ownTasks(actor: Actor, query: OwnTasksQuery, language: Language): Promise<TaskPage<TaskView>> {
    const { rows, total } = await this.findTasks({ userId: actor.id }, query);
    return { items: rows.map((row) => ({ ...presentTask(row, language), channel_id: 0 })), total };
  }

  private findDrawings(whose: Readonly<Record<string, number>>, query: OwnDrawingsQuery) {
    const { mj_id: mjId, start_timestamp: from, end_timestamp: to } = query;
    return this.drawings.page(
      { equal: { ...whose, mjId }, from, to },
      offsetOf(fromZero(query)),
      FIXED_PAGE_SIZE,
    );
  }

  private findTasks(whose: Readonly<Record<string, number>>, query: OwnTasksQuery) {
    const { task_id: taskId, platform, action, status, start_timestamp: from, end_timestamp: to } = query;
    const equal = { ...whose, taskId, platform, action, status };
    return this.tasks.page({ equal, from, to }, offsetOf(fromZero(query)), FIXED_PAGE_SIZE);
  }

  private presentDrawing(row: DrawingEntity, language: Language): DrawingView {
    return {
      id: row.id,
      code: row.code,
      user_id: row.userId,
      action: row.action,
      mj_id: row.mjId,
      prompt: row.prompt,
      prompt_en: row.promptEn,
      description: row.description,
      state: row.state,
      submit_time: row.submitTime,
      start_time: row.startTime,
      finish_time: row.finishTime,
      image_url: this.links.linkOf(row),
      status: row.status,
      progress: row.progress,
      fail_reason: taskReasonIn(language, row.failReason),
      channel_id: row.channelId,
      quota: row.quota,
      buttons: row.buttons,
      properties: row.properties,
    };
  }
}

const offsetOf = (page: number): number => Math.min(page * FIXED_PAGE_SIZE, MAX_OFFSET);

function presentTask(row: TaskEntity, language: Language): TaskView {
  return {
    id: row.id,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    task_id: row.taskId,
    platform: row.platform,
    user_id: row.userId,
    channel_id: row.channelId,
    quota: row.quota,
    action: row.action,
    status: row.status,
    fail_reason: taskReasonIn(language, row.failReason),
    submit_time: row.submitTime,
    start_time: row.startTime,
    finish_time: row.finishTime,
    progress: row.progress,
    properties: parseJson(row.properties) ?? { input: '' },
    data: parseJson(row.data) ?? null,
  };
}

/** A bare list with its total in a header (paging style C). */
export const listReply = (page: TaskPage<unknown>): EnvelopeReply =>
  new EnvelopeReply(page.items, '', {}, { 'X-Total-Count': String(page.total) });
