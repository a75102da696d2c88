import type { AuditAction } from '../audit/audit-actions.js';

/**
 * Event of a line that is not a call, as a code and its facts: `other.event`. The console shows it in the reader's language;
 * `content` has it in English for readers of the log itself. Amounts are whole quota.
 */
export type LogEvent = GivenEvent | ChannelEvent | TaskEvent | AdminActionEvent;

/** Quota that came in; how much is the line's `quota`. */
type GivenEvent =
  | { readonly code: 'redeemed'; readonly redemption_id: number }
  /** `paid` as people write it, in `currency`; the method is the provider's word. */
  | {
      readonly code: 'paid';
      readonly trade_no: string;
      readonly paid: string;
      readonly currency: string;
      readonly method: string;
    }
  | { readonly code: 'grant_new' | 'grant_invitee' | 'earnings_moved' }
  /** For inviting this account. */
  | { readonly code: 'grant_inviter'; readonly account_id: number };

/** A channel that was switched without a person doing it. */
interface ChannelEvent {
  readonly code: 'channel.off' | 'channel.on' | 'channel.key_off' | 'channel.key_on';
  readonly channel_id: number;
  /** Why it was switched off. */
  readonly reason?: string;
}

/** Work that an upstream took on and did not finish; what was given back is the line's `quota`. */
interface TaskEvent {
  readonly code: 'task_failed';
  readonly platform: 'midjourney' | 'suno';
  /** The upstream's name of it. */
  readonly task_id: string;
  readonly reason: string;
  /** The call that submitted it. */
  readonly request_id: string;
}

/** Act of an administrator. */
export interface AdminActionEvent {
  readonly code: AuditAction;
  readonly operator: string;
  readonly operator_id: number;
  readonly channel_ids?: readonly number[];
  /** The channel a copy is. */
  readonly copy_id?: number;
  /** Names of what was changed: fields of an account or channel, options. */
  readonly members?: readonly string[];
  readonly tag?: string;
  /** Number of things changed. */
  readonly count?: number;
  /** Role and status of the account afterwards. */
  readonly role?: number;
  readonly status?: number;
  /** The balance moved by this; below 0 when it was taken. */
  readonly quota?: number;
  readonly quota_after?: number;
  readonly reason?: string;
  /** Restored options: those before or after a saved version or a revision. */
  readonly side?: 'before' | 'after';
  readonly version_id?: number;
  readonly revision?: number;
  /** Seconds; older lines were deleted. */
  readonly before?: number;
}

/** Start of `content` for an administrator's act. Account owners read it without the name. */
export const administratorIn = (operator: string, operatorId: number): string =>
  `Administrator ${operator} (id ${operatorId})`;
