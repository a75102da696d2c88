import { isDeepStrictEqual } from 'node:util';
import { KNOWN_DIFFERENCES } from './known-differences.mjs';

const FIELDS = ['result', 'text', 'reasoning', 'toolCalls', 'serverTools', 'finish', 'sources'];
const USAGE = ['input', 'cacheRead', 'cacheWrite', 'output', 'reasoning'];

/**
 * Differences between two readings of one answer.
 * @param {import('./read-answer.mjs').Answer} direct
 * @param {import('./read-answer.mjs').Answer} through
 * @param {{vendor: string, dialect: string, recording: string}} place
 * @returns {{field: string, direct: unknown, through: unknown, reason?: string}[]} `reason` = it stands in the reviewed table
 */
export function compare(direct, through, place) {
  const found = [];
  const look = (field, left, right) => {
    if (isDeepStrictEqual(left, right)) return;
    const known = KNOWN_DIFFERENCES.find(
      (row) =>
        row.fields.includes(field) &&
        (row.vendor === undefined || row.vendor.test(place.vendor)) &&
        (row.dialect === undefined || row.dialect.test(place.dialect)) &&
        (row.recording === undefined || row.recording.test(place.recording)) &&
        (row.when === undefined || row.when(left, right, direct, through)),
    );
    found.push({ field, direct: left, through: right, reason: known?.reason });
  };
  // A failure is a failure: what little was read of it beforehand may differ.
  if (direct.failed && through.failed) return [];
  if (direct.failed !== through.failed) {
    look('failed', direct.failed, through.failed);
    return found;
  }
  for (const field of FIELDS) look(field, direct[field], through[field]);
  for (const field of USAGE) look(`usage.${field}`, direct.usage?.[field], through.usage?.[field]);
  return found;
}
