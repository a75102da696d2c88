import { QUARTER_SECONDS } from '../../channel-statistics/attempt-totals.js';
import { ALL_USERS } from '../ledger/all-users.js';
import type { SqlTarget } from '../ledger/money-sql.js';
import type { ReferenceKind } from '../ledger/reference-kinds.js';
import type { BookedCharge } from './batch-totals.js';
import { addToSums, type ChargeSum, sumInOrder } from './charge-sums.js';

interface ReferenceSum extends ChargeSum {
  readonly kind: ReferenceKind;
  readonly userId: number;
  readonly start: number;
  readonly reference: string;
}

const keyOf = ({ kind, userId, start, reference }: ReferenceSum): string =>
  `${kind} ${userId} ${start} ${reference}`;

/** Sums of a batch by token and by channel, in one order for all writers. */
export const referenceSums = (booked: readonly BookedCharge[]): readonly ReferenceSum[] =>
  sumInOrder(booked.flatMap(partsOf), keyOf);

function partsOf({ document, charged }: BookedCharge): ReferenceSum[] {
  const seconds = Math.floor(document.created_at_ms / 1_000);
  const start = seconds - (seconds % QUARTER_SECONDS);
  const tokens = document.prompt_tokens + document.completion_tokens;
  const tokenId = document.token_id ?? 0;
  const call = { start, tokens, count: 1, quota: charged };
  const parts: ReferenceSum[] = [];
  if (tokenId > 0)
    parts.push({ kind: 'token', userId: document.user_id, reference: String(tokenId), ...call });
  if (document.channel_id > 0)
    parts.push({ kind: 'channel', userId: ALL_USERS, reference: String(document.channel_id), ...call });
  return parts;
}

const KEYS = ['kind', 'user_id', 'created_at', 'reference'] as const;

/** Adds booked settlements to the sums by token and by channel. */
export async function addReferenceTotals(target: SqlTarget, booked: readonly BookedCharge[]): Promise<void> {
  const sums = referenceSums(booked);
  await addToSums(target, 'reference_totals', KEYS, sums, ({ kind, userId, start, reference }) => [
    kind,
    userId,
    start,
    reference,
  ]);
}
