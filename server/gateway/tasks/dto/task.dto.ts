import { z } from 'zod';
import { filterEnd, filterMoment, filterNumber, filterText, zeroBasedPaging } from '../../../common/query.js';
import { MAX_TASK_ID_CHARACTERS } from '../task.codes.js';

/** A drawing as its owner and administrators see it. */
export const drawingSchema = z
  .object({
    id: z.int(),
    code: z.int().meta({ description: 'what the upstream answered to the submission' }),
    user_id: z.int(),
    action: z.string(),
    mj_id: z.string(),
    prompt: z.string(),
    prompt_en: z.string(),
    description: z.string(),
    state: z.string(),
    submit_time: z.int().meta({ description: 'milliseconds' }),
    start_time: z.int().meta({ description: 'milliseconds; 0 = not begun' }),
    finish_time: z.int().meta({ description: 'milliseconds; 0 = not finished' }),
    image_url: z.string().meta({ description: 'empty = no picture yet' }),
    status: z.string(),
    progress: z.string().meta({ description: 'text such as 30%' }),
    fail_reason: z.string(),
    channel_id: z.int().meta({ description: '0 for ordinary users' }),
    quota: z.int().meta({ description: 'what was charged' }),
    buttons: z.string().meta({ description: 'JSON text; empty = none' }),
    properties: z.string().meta({ description: 'JSON text; empty = none' }),
  })
  .meta({ id: 'Drawing' });
export type DrawingView = z.infer<typeof drawingSchema>;

/** A task of another kind (songs) as its owner and administrators see it. */
export const taskSchema = z
  .object({
    id: z.int(),
    created_at: z.int().meta({ description: 'seconds' }),
    updated_at: z.int().meta({ description: 'seconds' }),
    task_id: z.string(),
    platform: z.string(),
    user_id: z.int(),
    channel_id: z.int().meta({ description: '0 for ordinary users' }),
    quota: z.int().meta({ description: 'what was charged' }),
    action: z.string(),
    status: z.string(),
    fail_reason: z.string(),
    submit_time: z.int().meta({ description: 'seconds' }),
    start_time: z.int().meta({ description: 'seconds; 0 = not begun' }),
    finish_time: z.int().meta({ description: 'seconds; 0 = not finished' }),
    progress: z.string().meta({ description: 'text such as 30%' }),
    properties: z.unknown().meta({ description: '{input}' }),
    data: z.unknown().meta({ description: "the upstream's record; null = none" }),
  })
  .meta({ id: 'Task' });
export type TaskView = z.infer<typeof taskSchema>;

const span = { start_timestamp: filterMoment(), end_timestamp: filterEnd() };

export const ownDrawingsQuerySchema = z.object({
  ...zeroBasedPaging(),
  mj_id: filterText(MAX_TASK_ID_CHARACTERS),
  ...span,
});
export const drawingsQuerySchema = ownDrawingsQuerySchema.extend({ channel_id: filterNumber() });
export type OwnDrawingsQuery = z.infer<typeof ownDrawingsQuerySchema>;
export type DrawingsQuery = z.infer<typeof drawingsQuerySchema>;

export const ownTasksQuerySchema = z.object({
  ...zeroBasedPaging(),
  task_id: filterText(MAX_TASK_ID_CHARACTERS),
  platform: filterText(30),
  action: filterText(40),
  status: filterText(20),
  ...span,
});
export const tasksQuerySchema = ownTasksQuerySchema.extend({ channel_id: filterNumber() });
export type OwnTasksQuery = z.infer<typeof ownTasksQuerySchema>;
export type TasksQuery = z.infer<typeof tasksQuerySchema>;
