import type { Route } from '../ports/channel-picker.js';

/** Members an override may not write: they were priced, or they decide how the reply is read (CH-05). */
const FIXED_MEMBERS: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'stream_options',
  'n',
  'service_tier',
]);
/** Caps an override may lower, never raise: the hold covers what the caller asked for. */
const CAPS: ReadonlySet<string> = new Set(['max_tokens', 'max_completion_tokens']);

/** Each key of the channel's override replaces the same top-level member. */
export function overrideParameters(body: Buffer, changes: Route['paramOverride']): Buffer {
  if (changes === undefined) return body;
  const document = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  for (const [key, value] of Object.entries(changes)) {
    if (FIXED_MEMBERS.has(key)) continue;
    const before = document[key];
    if (CAPS.has(key) && typeof before === 'number' && typeof value === 'number') {
      document[key] = Math.min(before, value);
    } else {
      document[key] = value;
    }
  }
  return Buffer.from(JSON.stringify(document));
}
