import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../access/current-actor.js';

const MINUTE_MS = 60_000;

/** Milliseconds a deleted row and its sealed key are kept. */
export const KEPT_MS = 30 * 24 * 60 * MINUTE_MS;
/** Milliseconds in which the account that deleted a row may undo it; longer than any toast stays. */
export const UNDO_MS = 5 * MINUTE_MS;

/** Columns of a deletion. */
export interface Deletion {
  /** Milliseconds; null = not deleted. */
  readonly deletedAtMs: number | null;
  /** Account that deleted the row; null = deleted by a version that kept nothing. */
  readonly deletedBy: number | null;
  /** Milliseconds; moment the sealed key was removed, null = not removed. */
  readonly wipedAtMs: number | null;
}

/** Returns true while the retention of a deleted row lasts and its key was not removed. */
export const isKept = ({ deletedAtMs, wipedAtMs }: Deletion, nowMs: number): boolean =>
  deletedAtMs !== null && wipedAtMs === null && nowMs - deletedAtMs < KEPT_MS;

/** Fails: DomainError `restore_not_kept`. */
export function assertKept(row: Deletion, nowMs: number): void {
  if (!isKept(row, nowMs)) throw new DomainError('restore_not_kept');
}

/** Fails: DomainError `undo_over`: another account deleted the row, or `UNDO_MS` have passed. */
export function assertMayUndo(row: Deletion, actor: Pick<Actor, 'id'>, nowMs: number): void {
  const { deletedAtMs, deletedBy } = row;
  if (deletedAtMs === null || deletedBy !== actor.id || nowMs - deletedAtMs >= UNDO_MS)
    throw new DomainError('undo_over', { minutes: UNDO_MS / MINUTE_MS });
}
