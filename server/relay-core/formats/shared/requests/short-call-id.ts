import { createHash } from 'node:crypto';

/** Hexadecimal digits that distinguish ids whose beginnings are alike. */
const MARK_LENGTH = 12;

/** An id of a call in no more than `longest` characters: the same for the same id in every request. */
export function shortCallId(id: string, longest: number): string {
  if (id.length <= longest) return id;
  const mark = createHash('sha256').update(id).digest('hex').slice(0, MARK_LENGTH);
  return `${id.slice(0, longest - MARK_LENGTH - 1).replace(/[^\w-]/g, '_')}_${mark}`;
}
