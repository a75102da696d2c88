import { z } from 'zod';
import { isJsonObject } from '../../../../common/parse-json.js';
import { CONTAINERS, DEEPEST_CONTAINER, MULTIPLIERS } from '../output-limits.js';
import { isSafePattern } from '../../../model/safe-pattern.js';
import { parsePath } from './body-path.js';
import { isOverridableHeader } from './header-override.js';

/** Ways an operation changes the body, the headers, or the call. */
const OVERRIDE_MODES = [
  ...(['set', 'delete', 'move', 'copy', 'prepend', 'append'] as const),
  ...(['trim_prefix', 'trim_suffix', 'ensure_prefix', 'ensure_suffix'] as const),
  ...(['trim_space', 'to_lower', 'to_upper', 'replace', 'regex_replace'] as const),
  ...(['prune_objects', 'return_error', 'sync_fields'] as const),
  ...(['set_header', 'delete_header', 'copy_header', 'move_header', 'pass_headers'] as const),
] as const;
export type OverrideMode = (typeof OVERRIDE_MODES)[number];

export interface OverrideCondition {
  readonly path: string;
  readonly mode: 'full' | 'prefix' | 'suffix' | 'contains' | 'gt' | 'gte' | 'lt' | 'lte';
  readonly value?: unknown;
  readonly invert: boolean;
  /** True when a place that is not there counts as a match. */
  readonly pass_missing_key: boolean;
}

export interface OverrideOperation {
  readonly mode: OverrideMode;
  readonly path: string;
  readonly value?: unknown;
  readonly keep_origin: boolean;
  readonly from: string;
  readonly to: string;
  readonly logic: 'AND' | 'OR';
  readonly conditions: readonly OverrideCondition[];
}

/** Top-level members an override may not write: they were priced, or they decide how the reply is read. */
export const FIXED_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'stream_options',
  'service_tier',
  'speed',
  'inference_geo',
  'size',
  'quality',
  // Members that multiply answers or images (`n`, `best_of`, …).
  ...MULTIPLIERS,
]);
/** Caps an override may lower, never raise: the hold covers what the caller asked for. */
export const CAP_PATHS: readonly string[] = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_new_tokens',
  'generationConfig.maxOutputTokens',
  'generation_config.max_output_tokens',
  'inferenceConfig.maxTokens',
  'options.num_predict',
];

export const CONDITION = z.object({
  path: z.string().min(1).max(500),
  mode: z.enum(['full', 'prefix', 'suffix', 'contains', 'gt', 'gte', 'lt', 'lte']).default('full'),
  value: z.unknown().optional(),
  invert: z.boolean().default(false),
  pass_missing_key: z.boolean().default(false),
});

export const OPERATION = z.object({
  mode: z.enum(OVERRIDE_MODES),
  path: z.string().max(500).default(''),
  value: z.unknown().optional(),
  keep_origin: z.boolean().default(false),
  from: z.string().max(2_000).default(''),
  to: z.string().max(2_000).default(''),
  logic: z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(['AND', 'OR']))
    .default('OR'),
  conditions: z.union([z.array(CONDITION).max(20), z.null().transform(() => [])]).default([]),
});

const fullForm = z.object({ operations: z.array(OPERATION).max(100) });

const BODY_TARGETS: ReadonlySet<OverrideMode> = new Set([
  ...(['set', 'delete', 'prepend', 'append', 'trim_prefix', 'trim_suffix', 'ensure_prefix'] as const),
  ...(['ensure_suffix', 'trim_space', 'to_lower', 'to_upper', 'replace', 'regex_replace'] as const),
]);
const HEADER_TARGETS: ReadonlySet<OverrideMode> = new Set(['set_header', 'delete_header']);
const FIXED_SCOPES: readonly string[] = ['generationConfig', 'generation_config'];

export type OverrideFault =
  /** Not the documented form. */
  | { readonly type: 'form'; readonly at: string }
  /** A member that may not be written. */
  | { readonly type: 'fixed'; readonly member: string };

/** Returns true for the full form rather than a flat object of members. */
export const isFullForm = (document: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(document['operations']);

/** Operations of a full form. Fails: with the fault and its place; shown to the operator at saving. */
export function parseOperations(
  document: Readonly<Record<string, unknown>>,
): { readonly operations: readonly OverrideOperation[] } | { readonly fault: OverrideFault } {
  const parsed = fullForm.safeParse(document);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.map(String).join('.') ?? 'operations';
    return { fault: { type: 'form', at: path } };
  }
  const { operations } = parsed.data;
  for (const [index, each] of operations.entries()) {
    const fault = faultOf(each, `operations.${index}`);
    if (fault !== undefined) return { fault };
  }
  return { operations };
}

function faultOf(each: OverrideOperation, at: string): OverrideFault | undefined {
  const { mode, path, from, to } = each;
  if (BODY_TARGETS.has(mode) || mode === 'prune_objects') {
    if (parsePath(path) === undefined && !(mode === 'prune_objects' && path === '')) return form(at, 'path');
    if (isFixed(path)) return { type: 'fixed', member: path };
  }
  switch (mode) {
    case 'move':
    case 'copy':
      if (parsePath(from) === undefined) return form(at, 'from');
      if (parsePath(to) === undefined) return form(at, 'to');
      if (isFixed(to)) return { type: 'fixed', member: to };
      return mode === 'move' && isFixed(from) ? { type: 'fixed', member: from } : undefined;
    case 'regex_replace':
      return isSafePattern(from) && from !== '' ? undefined : form(at, 'from');
    case 'replace':
      return from === '' ? form(at, 'from') : undefined;
    case 'prune_objects':
      return isFilter(each.value) ? undefined : form(at, 'value');
    case 'return_error':
      return isErrorForm(each.value) ? undefined : form(at, 'value');
    case 'sync_fields':
      if (!isPlace(from)) return form(at, 'from');
      if (!isPlace(to)) return form(at, 'to');
      return fixedPlace([from, to]);
    case 'copy_header':
    case 'move_header':
      if (!isOverridableHeader(from)) return { type: 'fixed', member: from };
      return isOverridableHeader(to) ? undefined : { type: 'fixed', member: to };
    case 'pass_headers':
      return isTextList(each.value) ? undefined : form(at, 'value');
    default:
      return HEADER_TARGETS.has(mode) && !isOverridableHeader(path)
        ? { type: 'fixed', member: path }
        : undefined;
  }
}

const form = (at: string, member: string): OverrideFault => ({ type: 'form', at: `${at}.${member}` });

/** A place an override may not touch, or an object that would replace one together with what holds it. */
function isFixed(path: string): boolean {
  const parts = path.split('.');
  const at = parts.findIndex((name) => !CONTAINERS.has(name));
  const multiplies = at !== -1 && MULTIPLIERS.has(parts[at] ?? '');
  return multiplies || FIXED_FIELDS.has(parts[0] ?? '') || FIXED_SCOPES.includes(path);
}

/** The place of the first member that multiplies answers in an override of the flat form, containers included; undefined = none. */
export function multiplierIn(document: Readonly<Record<string, unknown>>, path = ''): string | undefined {
  for (const [name, value] of Object.entries(document)) {
    if (MULTIPLIERS.has(name)) return path + name;
    const isDeep = path.split('.').length > DEEPEST_CONTAINER;
    if (isDeep || !CONTAINERS.has(name) || !isJsonObject(value)) continue;
    const inside = multiplierIn(value, `${path}${name}.`);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function fixedPlace(places: readonly string[]): OverrideFault | undefined {
  const member = places.find((place) => place.startsWith('json:') && isFixed(place.slice(5)));
  return member === undefined ? undefined : { type: 'fixed', member: member.slice(5) };
}

const isPlace = (text: string): boolean =>
  text.startsWith('json:')
    ? parsePath(text.slice(5)) !== undefined
    : text.startsWith('header:') && isOverridableHeader(text.slice(7));

const isTextList = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string'));

const isFilter = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && Object.keys(value).length > 0);

function isErrorForm(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object' || value === null || !('message' in value)) return false;
  const status: unknown = 'status_code' in value ? value.status_code : 400;
  return (
    typeof value.message === 'string' &&
    typeof status === 'number' &&
    Number.isInteger(status) &&
    status >= 400 &&
    status <= 599
  );
}
