import { type CallFigures, type LimitMark, readMarks, usedOf } from '../../limits/limit-marks.js';
import { addUses, type LimitUseSum, sumUses } from '../ledger/limit-use-sql.js';
import { execute, insertRows, type SqlTarget, textList, toText } from '../ledger/money-sql.js';
import type { BookingRecord, ReleaseDocument, SettlementDocument } from '../records/spool-documents.js';
import type { BookedCharge } from './batch-totals.js';

const usesOf = (marks: readonly LimitMark[], figures: CallFigures): LimitUseSum[] =>
  marks.map(({ limitId, value, periodStartMs, measure }) => ({
    limitId,
    value,
    periodStartMs,
    kind: 'use',
    used: usedOf(measure, figures),
    calls: 1,
  }));

const figuresOf = ({ document, charged }: BookedCharge): CallFigures => ({
  quota: charged,
  inputTokens: document.prompt_tokens,
  outputTokens: document.completion_tokens,
});

/** Limits of the caller and of the channel that a settlement counts under. */
export function marksOf({
  hold,
  channel_limits: channel,
}: Pick<SettlementDocument, 'hold' | 'channel_limits'>): readonly LimitMark[] {
  const own = hold.limits === undefined ? NO_MARKS : readMarks(hold.limits);
  if (channel === undefined) return own;
  const ofChannel = channel.limits.map(([limitId, periodStartMs, measure]) => ({
    limitId,
    value: '',
    periodStartMs,
    measure,
  }));
  return [...own, ...ofChannel];
}
const NO_MARKS: readonly LimitMark[] = [];

const FAILED: CallFigures = { quota: 0, inputTokens: 0, outputTokens: 0 };

/** Marks of a failed call that count: requests alone. */
const failedMarks = ({ hold }: ReleaseDocument): readonly LimitMark[] =>
  readMarks(hold.limits).filter(({ measure }) => measure === 'requests');

/**
 * Adds a batch to the use of limits, in the periods in which its calls were admitted. All who book wait for each other from here to the commit.
 * @param failed  releases of calls that failed upstream and are not booked yet
 */
export async function addLimitUses(
  target: SqlTarget,
  booked: readonly BookedCharge[],
  failed: readonly ReleaseDocument[] = [],
): Promise<void> {
  const parts: LimitUseSum[] = [];
  for (const charge of booked) {
    const marks = marksOf(charge.document);
    if (marks.length > 0) parts.push(...usesOf(marks, figuresOf(charge)));
  }
  for (const document of failed) parts.push(...usesOf(failedMarks(document), FAILED));
  await addUses(target, sumUses(parts));
}

/**
 * Writes the failed calls of a batch that count under limits of requests, each once.
 * @returns those that are new
 */
export async function insertFailedCalls(
  target: SqlTarget,
  records: readonly BookingRecord[],
  nowMs: number,
): Promise<readonly ReleaseDocument[]> {
  const failed = new Map<string, ReleaseDocument>();
  for (const record of records) {
    if (record.type !== 'R') continue;
    const { document } = record;
    if (document.was_sent === true && failedMarks(document).length > 0)
      failed.set(document.request_id, document);
  }
  if (failed.size === 0) return [];
  const { rows } = await execute(
    target,
    `SELECT "request_id" AS "id" FROM "limit_failed_calls" WHERE "request_id" IN (${textList(failed.keys())})`,
  );
  for (const row of rows) failed.delete(toText(row['id']));
  const fresh = [...failed.values()];
  await insertRows(
    target,
    'limit_failed_calls',
    ['request_id', 'limits', 'created_at_ms'],
    fresh.map(({ request_id: callId, hold }) => [callId, hold.limits, nowMs]),
  );
  return fresh;
}
