import { type Document, listOf } from '../../relay-core/formats/shared/fields/json-fields.js';
import type { DrawingEntity } from './drawing.entity.js';
import { OVERDUE, TASK_LIMIT_MS, UNNAMED, NO_REASON_GIVEN } from './task-reasons.js';
import { TASK_STATUS } from './task.codes.js';
import {
  differing,
  storedAddress,
  storedJson,
  storedMoment,
  storedText,
  type TaskTransition,
} from './vendor-record.js';

const KNOWN_STATUSES: ReadonlySet<unknown> = new Set([
  'NOT_START',
  'SUBMITTED',
  'QUEUED',
  'IN_PROGRESS',
  'MODAL',
  TASK_STATUS.success,
  TASK_STATUS.failure,
]);
const MAX_VIDEOS = 20;
const DONE = '100%';

/**
 * Next state of an unfinished drawing.
 * @param record  the vendor's report; undefined = none
 */
export function drawingTransition(
  row: DrawingEntity,
  record: Document | undefined,
  nowMs: number,
): TaskTransition<DrawingEntity> {
  if (row.mjId === '') return { kind: 'fail', reason: UNNAMED, changes: {} };
  const changes = record === undefined ? {} : changesOf(row, record);
  const status = changes.status ?? row.status;
  const reason = record === undefined ? undefined : storedText(record['failReason']);
  const isBroken = reason !== undefined && record?.['progress'] !== DONE;
  if (status === TASK_STATUS.failure || isBroken)
    return { kind: 'fail', reason: reason ?? NO_REASON_GIVEN, changes };
  if (status === TASK_STATUS.success) {
    const finishTime = changes.finishTime ?? (row.finishTime || nowMs);
    return { kind: 'change', changes: { ...changes, progress: DONE, finishTime } };
  }
  if (nowMs - row.submitTime > TASK_LIMIT_MS) return { kind: 'fail', reason: OVERDUE, changes };
  return Object.keys(changes).length === 0 ? { kind: 'keep' } : { kind: 'change', changes };
}

/** When it was submitted is our own word: filters and the time limit go by it. */
function changesOf(row: DrawingEntity, record: Document): Partial<DrawingEntity> {
  const { status } = record;
  const isCancelled = status === 'CANCEL';
  return differing(row, {
    status: isCancelled ? TASK_STATUS.failure : KNOWN_STATUSES.has(status) ? (status as string) : undefined,
    action: row.action === '' ? storedText(record['action'], 40) : undefined,
    progress: storedText(record['progress'], 30),
    startTime: storedMoment(record['startTime']),
    finishTime: storedMoment(record['finishTime']),
    imageUrl: storedAddress(record['imageUrl']),
    videoUrls: videosOf(record),
    buttons: storedJson(Array.isArray(record['buttons']) ? record['buttons'] : undefined),
    properties: Array.isArray(record['properties']) ? undefined : storedJson(record['properties']),
    prompt: storedText(record['prompt']),
    promptEn: storedText(record['promptEn']),
    description: storedText(record['description']),
    state: storedText(record['state']),
  });
}

/** A list of addresses or of `{url}`, and one address beside it. */
function videosOf(record: Document): string | undefined {
  const listed = listOf(record['videoUrls']).map((video) =>
    typeof video === 'object' && video !== null && 'url' in video ? video.url : video,
  );
  const addresses = [record['videoUrl'], ...listed].map(storedAddress).filter((one) => one !== undefined);
  return addresses.length === 0 ? undefined : JSON.stringify([...new Set(addresses)].slice(0, MAX_VIDEOS));
}
