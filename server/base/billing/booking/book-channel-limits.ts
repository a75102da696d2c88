import { type ChannelMarks, usedOf } from '../../../relay-core/model/channel-use.js';
import { takeFromParts } from '../channel-limits/part-trip.js';
import type { SqlTarget } from '../ledger/money-sql.js';
import type { SettlementDocument } from '../records/spool-documents.js';
import type { BookedCharge } from './batch-totals.js';

interface MarkedSum {
  readonly limitId: number;
  readonly startsAtMs: number;
  readonly owner: string;
  used: number;
}

/** Use of a batch, at its price, by limit, period and worker, in one order for all writers. */
export function markedSums(booked: readonly Pick<BookedCharge, 'document'>[]): readonly MarkedSum[] {
  const sums = new Map<string, MarkedSum>();
  for (const { document } of booked) {
    const { channel_limits: marks } = document;
    if (marks !== undefined) addMarks(sums, marks, document);
  }
  return [...sums.values()].toSorted(
    (left, right) =>
      left.limitId - right.limitId ||
      left.startsAtMs - right.startsAtMs ||
      (left.owner < right.owner ? -1 : 1),
  );
}

function addMarks(
  sums: Map<string, MarkedSum>,
  { owner, limits }: ChannelMarks,
  document: SettlementDocument,
): void {
  const { priced: quota, prompt_tokens: inputTokens, completion_tokens: outputTokens } = document;
  for (const [limitId, startsAtMs, measure] of limits) {
    const key = `${limitId} ${startsAtMs} ${owner}`;
    const sum = sums.get(key) ?? { limitId, startsAtMs, owner, used: 0 };
    sum.used += usedOf(measure, { quota, inputTokens, outputTokens });
    sums.set(key, sum);
  }
}

/** Takes what booked calls used from the parts of the workers that admitted them: from here on it is use. */
export async function takeFromChannelParts(
  target: SqlTarget,
  booked: readonly BookedCharge[],
): Promise<void> {
  const sums = markedSums(booked);
  if (sums.length === 0) return;
  await takeFromParts(
    target,
    sums.map(({ limitId, startsAtMs, owner, used }) => [limitId, startsAtMs, owner, used] as const),
  );
}
