import { readField, type ScannedObject } from '../../framing/json-splice.js';
import type { Warning } from '../../model/warning.js';
import { documentOf, listOf, type Document } from '../shared/fields/json-fields.js';

/** Beta features that a host takes for a model, by their names at Anthropic; the value is the name of the host. */
export type HostBetas = (model: string) => ReadonlyMap<string, string>;

/** Betas that a host has under Anthropic's names, separated by blanks. */
export const sameNames = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((name) => [name, name]),
  );

/** Names of the host for the betas that a client asks for; the host refuses a call for any other ("invalid beta flag"). */
export function takenBetas(asked: readonly string[], betas: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set(asked.flatMap((name) => betas.get(name) ?? []))];
}

const NOT_AT_HOST = 'this host does not have it for this model';
const CONTEXT_BETAS = ['context-management-2025-06-27', 'compact-2026-01-12', 'compact-2026-09-04'];
const SEARCH_BETA = 'tool-search-tool-2025-10-19';
const STREAMED_INPUT_BETA = 'fine-grained-tool-streaming-2025-05-14';

/** Members of tools that a beta feature adds, by the name of the host for it. */
const TOOL_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['defer_loading', SEARCH_BETA],
  ['allowed_callers', 'advanced-tool-use-2025-11-20'],
  ['input_examples', 'tool-examples-2025-10-29'],
  ['eager_input_streaming', STREAMED_INPUT_BETA],
]);

/**
 * Members that hosts of Claude refuse without their beta feature ("Extra inputs are not permitted"), as changes to the body.
 * https://github.com/anthropics/claude-code/issues/82549, https://github.com/anthropics/claude-code/issues/21612 (read 2026-11-29).
 * @param taken  names of the host for the features of this call
 */
export function withoutBetaMembers(
  document: ScannedObject,
  taken: readonly string[],
  changes: Map<string, unknown>,
  warnings: Warning[],
): void {
  if (document.members.has('betas')) changes.set('betas', undefined);
  if (document.members.has('context_management') && !CONTEXT_BETAS.some((name) => taken.includes(name))) {
    changes.set('context_management', undefined);
    warnings.push({ setting: 'context_management', reason: NOT_AT_HOST });
  }
  const left = new Set([...TOOL_MEMBERS].flatMap(([name, beta]) => (taken.includes(beta) ? [] : [name])));
  if (![...left].some((name) => document.bytes.includes(`"${name}"`))) return;
  const sent = listOf(readField(document, 'tools')).map(documentOf);
  let isChanged = false;
  const tools = sent.map((tool, index): Document => {
    const names = Object.keys(tool).filter((name) => left.has(name));
    if (names.length === 0) return tool;
    isChanged = true;
    for (const name of names)
      if (tool[name] !== false) warnings.push({ setting: `tools.${index}.${name}`, reason: NOT_AT_HOST });
    return Object.fromEntries(Object.entries(tool).filter(([name]) => !left.has(name)));
  });
  if (isChanged) changes.set('tools', tools);
}
