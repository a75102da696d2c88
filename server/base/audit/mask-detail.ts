import type { AuditValue } from './canonical-json.js';

/** Names of members whose values are secrets, in every spelling the product uses (`webhook_secret`, `SMTPToken`, `passwordHash`). */
const SECRET_NAME =
  /(password|passphrase|secret|credential|cookie|authorization|recovery_?codes?|totp|digest)|(token|tokens|key|keys)$/i;
/** Ids and marks beside a secret; limits, such as `maxInputTokens`. */
const HARMLESS = /^max[A-Z]|(_id|Id|_ids|Ids|_name|Name|_set|Set)$/;
/** Figures and switches about a secret are not the secret. */
const isSecretValue = (value: AuditValue): boolean =>
  (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null);

/** What takes a secret's place. */
export const MASK = 'changed';
const MAX_TEXT = 2_000;
const MAX_ITEMS = 500;
const MAX_DEPTH = 8;

/**
 * A copy without secrets: members named like one lose their value, whoever calls, also `key` and `keys`; long texts and lists
 * are cut. Name what changed in other words: `options`, `fields`, `columns`.
 */
export function maskDetail(value: AuditValue, depth = 0): AuditValue {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value))
    return value.slice(0, MAX_ITEMS).map((item: AuditValue) => maskDetail(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_NAME.test(name) && !HARMLESS.test(name) && isSecretValue(member)
        ? MASK
        : maskDetail(member, depth + 1),
    ]),
  );
}
