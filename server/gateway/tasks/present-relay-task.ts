import { listOf } from '../../relay-core/formats/shared/fields/json-fields.js';
import type { DrawingEntity } from './drawing.entity.js';
import type { TaskEntity } from './task.entity.js';
import { parseJson } from '../../common/parse-json.js';

/** A drawing as midjourney-proxy's clients know it. Channel and account stay inside. */
export function presentRelayDrawing(row: DrawingEntity, imageUrl: string): Readonly<Record<string, unknown>> {
  const videos = listOf(parseJson(row.videoUrls)).filter((url) => typeof url === 'string');
  return {
    id: row.mjId,
    action: row.action,
    customId: '',
    botType: '',
    prompt: row.prompt,
    promptEn: row.promptEn,
    description: row.description,
    state: row.state,
    submitTime: row.submitTime,
    startTime: row.startTime,
    finishTime: row.finishTime,
    imageUrl,
    videoUrl: videos[0] ?? '',
    videoUrls: videos.map((url) => ({ url })),
    status: row.status,
    progress: row.progress,
    failReason: row.failReason,
    buttons: listOf(parseJson(row.buttons)),
    properties: parseJson(row.properties) ?? null,
  };
}

/** A song as Suno-API's clients know it. */
export const presentRelayTask = (row: TaskEntity): Readonly<Record<string, unknown>> => ({
  task_id: row.taskId,
  platform: row.platform,
  action: row.action,
  status: row.status,
  fail_reason: row.failReason,
  submit_time: row.submitTime,
  start_time: row.startTime,
  finish_time: row.finishTime,
  progress: row.progress,
  data: parseJson(row.data) ?? null,
});
