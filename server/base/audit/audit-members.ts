import type { AuditValue } from './canonical-json.js';

/** Members of audit details, by name; the console has a text for each. Columns of channels stand one level deeper, under `changes`. */
export const AUDIT_MEMBERS = [
  'status',
  'role',
  'amount',
  'quota',
  'reason',
  'username',
  'display_name',
  'group',
  'new_password_set',
  'count',
  'name',
  'expiredTime',
  'expired_time',
  'way',
  'provider',
  'ended',
  'session_id',
  'now',
  'after',
  'before',
  'text',
  'channel_ids',
  'ids',
  'copy_id',
  'source',
  'note',
  'passkey_id',
  'known',
  'given',
  'through_sequence',
  'through_hash',
  'user_id',
  'previous_status',
  'rule',
  'subject',
  'modes',
  'detail',
  'type',
  'mode',
  'value',
  'by',
  'loss',
  'first_step',
  'code',
  'ordered_by',
  'scope',
  'measure',
  'period',
  'model',
  'warn_at',
  'fallback_model',
  'action',
  'admit_unknown',
  'enabled',
  'account_id',
  'until',
] as const;
export type AuditMember = (typeof AUDIT_MEMBERS)[number];

/** Kinds of things acts are done to; the console has a text for each. */
export const AUDIT_TARGETS = [
  'user',
  'channel',
  'token',
  'option',
  'redemption',
  'order',
  'log',
  'mail',
  'audit',
  'alert',
  'job',
  'limit',
  'database',
  'import',
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** Changed values, old and new where that helps; `options` and `changes` are lists of their own, described by their entries. */
export type AuditDetail = {
  readonly [
    Member in AuditMember | `${AuditMember}_before` | `${AuditMember}_after` | 'options' | 'changes'
  ]?: AuditValue;
};
