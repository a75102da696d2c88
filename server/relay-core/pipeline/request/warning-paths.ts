import { readField, type ScannedObject } from '../../framing/json-splice.js';
import { isDocument } from '../../formats/shared/fields/json-fields.js';
import type { Warning } from '../../model/warning.js';

/** Options of content and tools, by the members of a body that may hold them. Others are named without a path. */
const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  citations: ['system', 'messages'],
  context: ['system', 'messages'],
  input_examples: ['tools'],
  defer_loading: ['tools'],
  allowed_callers: ['tools'],
  eager_input_streaming: ['tools'],
  videoMetadata: ['contents'],
  mediaResolution: ['contents'],
};

/** Members whose values are data of the caller, with names of its own. */
const DATA: ReadonlySet<string> = new Set([
  'input',
  'input_schema',
  'parameters',
  'args',
  'arguments',
  'response',
]);
const MAX_PATHS = 100;

/** Warnings of options that lie deeper, each by its path in the caller's body (`messages.1.content.0.citations`). */
export function withPaths(warnings: readonly Warning[], document: ScannedObject): readonly Warning[] {
  if (!warnings.some(({ setting }) => setting in HOLDERS)) return warnings;
  const named = new Set<string>();
  return warnings.flatMap((warning) => {
    const holders = HOLDERS[warning.setting];
    if (holders === undefined) return [warning];
    if (named.has(warning.setting)) return [];
    named.add(warning.setting);
    const paths = holders.flatMap((holder) => pathsIn(readField(document, holder), warning.setting, holder));
    if (paths.length === 0) return [warning];
    return paths.slice(0, MAX_PATHS).map((setting) => ({ ...warning, setting }));
  });
}

function pathsIn(value: unknown, name: string, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsIn(item, name, `${path}.${index}`));
  if (!isDocument(value)) return NONE;
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === name && inner !== undefined && inner !== null) return [`${path}.${key}`];
    return DATA.has(key) ? NONE : pathsIn(inner, name, `${path}.${key}`);
  });
}
const NONE: readonly string[] = [];
