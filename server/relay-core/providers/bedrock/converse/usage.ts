import { isTokenCountOrNone, type Usage } from '../../../model/usage.js';
import { documentOf, isDocument, listOf } from '../../../formats/shared/fields/json-fields.js';

/**
 * Usage of a Converse reply: `inputTokens` leaves cache reads and writes out.
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readUsage(value: unknown): Usage | 'invalid' | undefined {
  if (value === null || value === undefined) return undefined;
  if (!isDocument(value)) return 'invalid';
  const input = value['inputTokens'];
  const output = value['outputTokens'];
  const cacheRead = value['cacheReadInputTokens'] ?? value['cacheReadInputTokenCount'];
  const cacheWrite = value['cacheWriteInputTokens'] ?? value['cacheWriteInputTokenCount'];
  if (input === undefined && output === undefined) return undefined;
  if (![input, output, cacheRead, cacheWrite].every(isTokenCountOrNone)) return 'invalid';
  const read = Number(cacheRead ?? 0);
  const write = Number(cacheWrite ?? 0);
  let hour = 0;
  for (const item of listOf(value['cacheDetails'])) {
    const detail = documentOf(item);
    if (detail['ttl'] === '1h' && isTokenCountOrNone(detail['inputTokens']))
      hour += Number(detail['inputTokens'] ?? 0);
  }
  hour = Math.min(hour, write);
  return {
    input: {
      total: typeof input === 'number' ? input + read + write : undefined,
      ...(read > 0 ? { cacheRead: read } : {}),
      ...(write > 0 ? { cacheWrite: write } : {}),
      ...(hour > 0 ? { cacheWrite1h: hour } : {}),
    },
    output: { total: typeof output === 'number' ? output : undefined },
  };
}
