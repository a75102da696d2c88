import type { Warning } from '../../model/warning.js';
import { documentOf, parseDocument, type Document } from '../shared/fields/json-fields.js';
import { passedLists, withEdits, type Edit, type PassedContent, type Span } from './passed-blocks.js';

/** Members of a mark of a cached prefix beside its type. */
export interface MarkRules {
  /** `scope`: who shares the prefix. */
  readonly scope: boolean;
  /** `ttl`: how long it is kept. */
  readonly ttl: boolean;
}

const NAMES = ['scope', 'ttl'] as const;
const SCOPE_BETA = 'prompt-caching-scope-';
export const NO_TTL = 'this model keeps cached prefixes for five minutes only';

/** True when a client asks for the beta feature that adds `scope`. */
export const asksForScope = (betas: readonly string[]): boolean =>
  betas.some((name) => name.startsWith(SCOPE_BETA));

/**
 * The body with marks that the vendor takes. Claude Code marks prefixes with `scope`, also where the beta feature does not reach the vendor,
 * which refuses it ("cache_control.ephemeral.scope: Extra inputs are not permitted"):
 * https://github.com/anthropics/claude-code/issues/41966, https://github.com/Wei-Shaw/claude-relay-service/pull/965 (read 2026-11-30).
 * @returns the same buffer when no mark has such a member
 */
export function withTakenMarks(body: Buffer, rules: MarkRules, warnings: Warning[]): Buffer {
  const refused = NAMES.filter((name) => !rules[name] && body.includes(`"${name}"`));
  if (refused.length === 0) return body;
  const lists = passedLists(body);
  const edits: Edit[] = [];
  const marks = [...marksOf(lists.system), ...marksOf(lists.messages), ...marksOf(lists.tools)];
  if (lists.cache !== undefined) marks.push(lists.cache);
  for (const span of marks) {
    const mark = documentOf(parseDocument(body.toString('utf8', span.start, span.end)));
    const left = refused.filter((name) => mark[name] !== undefined);
    if (left.length === 0) continue;
    edits.push({ ...span, text: JSON.stringify(without(mark, left)) });
    if (left.includes('ttl') && mark['ttl'] !== '5m' && !warnings.some(({ reason }) => reason === NO_TTL))
      warnings.push({ setting: 'cache_control.ttl', reason: NO_TTL });
  }
  return withEdits(body, edits);
}

const without = (mark: Document, names: readonly string[]): Document =>
  Object.fromEntries(Object.entries(mark).filter(([name]) => !names.includes(name)));

const marksOf = (content: PassedContent | undefined): readonly Span[] =>
  content?.items.flatMap(({ cache, content: inner }) => [
    ...(cache === undefined ? [] : [cache]),
    ...marksOf(inner),
  ]) ?? [];
