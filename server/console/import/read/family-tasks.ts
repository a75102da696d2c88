import { sentence } from '../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../infra/database/foreign-source.js';
import { isJsonObject } from '../../../common/parse-json.js';
import type { SourceNote, SourceTask } from '../source/records.js';
import type { RowValues } from '../source/row-values.js';
import { readRows } from './read-rows.js';

/** Largest record of an upstream that is kept, characters. */
const MAX_DATA = 65_536;

/** Finished drawings and tasks of new-api and one-api. Those in progress stay behind: only the old program can ask about them. */
export async function readFamilyTasks(
  source: ForeignSource,
  tables: ReadonlyMap<string, readonly string[]>,
  notes: SourceNote[],
): Promise<SourceTask[]> {
  const all: SourceTask[] = [];
  for (const [table, kind] of [
    ['midjourneys', 'drawing'],
    ['tasks', 'task'],
  ] as const) {
    if (!tables.has(table)) continue;
    let open = 0;
    const rows = await readRows(source, { table, key: 'id', notes }, (row) => {
      const status = row.text('status');
      if (status === 'SUCCESS' || status === 'FAILURE')
        return kind === 'drawing' ? drawingOf(row, status) : taskOf(row, status);
      open += 1;
      return null;
    });
    all.push(...rows);
    if (open > 0)
      notes.push({
        kind: 'left-out',
        table,
        id: '',
        sentence: sentence('tasks_not_finished', { count: open }),
      });
  }
  return all;
}

/** Times of drawings are milliseconds. */
const drawingOf = (row: RowValues, status: SourceTask['status']): SourceTask => ({
  kind: 'drawing',
  sourceId: row.text('id'),
  owner: row.text('user_id'),
  channel: row.text('channel_id'),
  token: '',
  status,
  upstreamId: row.text('mj_id'),
  action: row.text('action'),
  platform: '',
  prompt: row.text('prompt'),
  failReason: row.text('fail_reason'),
  submittedAtMs: row.integer('submit_time'),
  startedAtMs: row.integer('start_time'),
  finishedAtMs: row.integer('finish_time'),
  imageUrl: row.text('image_url'),
  properties: row.text('properties'),
  data: '',
  quota: row.integer('quota'),
});

function taskOf(row: RowValues, status: SourceTask['status']): SourceTask {
  const hidden = row.has('private_data') ? row.json('private_data') : {};
  const data = row.text('data');
  return {
    kind: 'task',
    sourceId: row.text('id'),
    owner: row.text('user_id'),
    channel: row.text('channel_id'),
    token: isJsonObject(hidden) ? String(hidden['token_id'] ?? '') : '',
    status,
    upstreamId: row.text('task_id'),
    action: row.text('action'),
    platform: row.text('platform'),
    prompt: '',
    failReason: row.text('fail_reason'),
    submittedAtMs: row.integer('submit_time') * 1_000,
    startedAtMs: row.integer('start_time') * 1_000,
    finishedAtMs: row.integer('finish_time') * 1_000,
    imageUrl: '',
    properties: row.text('properties'),
    data: data.length > MAX_DATA ? '' : data,
    quota: row.integer('quota'),
  };
}
