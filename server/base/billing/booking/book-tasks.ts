import { storableText } from '../../../common/text.js';
import type { AcceptedTask } from '../../../relay-core/model/task.js';
import { insertRows, sqlIn, type SqlTarget } from '../ledger/money-sql.js';
import type { BookingRecord, SettlementDocument } from '../records/spool-documents.js';

/** A call whose upstream took a task on, and what was paid for it. */
interface BookedTask {
  readonly document: SettlementDocument;
  readonly task: AcceptedTask;
  readonly charged: number;
}

const SHARED_COLUMNS = [
  'request_id',
  'user_id',
  'token_id',
  'token_limited',
  'channel_id',
  'quota',
  'action',
  'status',
  'progress',
  'submit_time',
  'start_time',
  'finish_time',
  'fail_reason',
  'properties',
] as const;
const DRAWING_COLUMNS = [
  ...SHARED_COLUMNS,
  'code',
  'mj_id',
  'prompt',
  'prompt_en',
  'description',
  'state',
  'image_url',
  'video_urls',
  'buttons',
];
const TASK_COLUMNS = [...SHARED_COLUMNS, 'task_id', 'platform', 'created_at', 'updated_at', 'data'];

/**
 * Records of tasks that upstreams took on, in the transaction of their charge: a record is there exactly when its charge is, and says
 * what a failure gives back. Writing one twice changes nothing: its call id is unique.
 * @param charged  call → what was paid; calls that are not in it were booked before
 */
export async function insertTasks(
  target: SqlTarget,
  records: readonly BookingRecord[],
  charged: ReadonlyMap<string, number>,
): Promise<void> {
  const drawings: BookedTask[] = [];
  const songs: BookedTask[] = [];
  for (const { type, document } of records) {
    if (type !== 'S' || document.task === undefined) continue;
    const { task, request_id: callId, priced } = document;
    const booked = { document, task, charged: charged.get(callId) ?? priced };
    if (task.platform === 'midjourney') drawings.push(booked);
    else songs.push(booked);
  }
  await insertNew(target, 'midjourneys', DRAWING_COLUMNS, drawings.map(drawingRow));
  await insertNew(target, 'tasks', TASK_COLUMNS, songs.map(musicTaskRow));
}

async function insertNew(
  target: SqlTarget,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const again = sqlIn(target).orKeep({ table, key: ['request_id'] });
  await insertRows(target, table, columns, rows, again);
}

/** @param submittedAt  in the unit of the table */
function sharedValues({ document, task, charged }: BookedTask, submittedAt: number): unknown[] {
  return [
    document.request_id,
    document.user_id,
    document.token_id ?? 0,
    document.token_limited,
    document.channel_id,
    charged,
    task.action,
    task.isFinished ? 'SUCCESS' : 'SUBMITTED',
    task.isFinished ? '100%' : '0%',
    submittedAt,
    0,
    task.isFinished ? submittedAt : 0,
    '',
  ];
}

/** Times in milliseconds. Images that were only passed on have no id at the vendor: they use the call's. */
function drawingRow(booked: BookedTask): readonly unknown[] {
  const { document, task } = booked;
  const { id, code, prompt, description, state, imageUrl, properties } = task;
  return [
    ...sharedValues(booked, document.created_at_ms),
    properties,
    code,
    id === '' ? document.request_id : storableText(id),
    storableText(prompt),
    '',
    storableText(description),
    storableText(state),
    storableText(imageUrl),
    '',
    '',
  ];
}

/** Times in seconds. */
function musicTaskRow(booked: BookedTask): readonly unknown[] {
  const { document, task } = booked;
  const submittedAt = Math.floor(document.created_at_ms / 1000);
  return [
    ...sharedValues(booked, submittedAt),
    JSON.stringify({ input: storableText(task.prompt) }),
    storableText(task.id),
    task.platform,
    submittedAt,
    submittedAt,
    '',
  ];
}
