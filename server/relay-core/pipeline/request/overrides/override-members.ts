import {
  CONDITION,
  FIXED_FIELDS,
  isFullForm,
  multiplierIn,
  OPERATION,
  type OverrideMode,
  parseOperations,
} from './override-rules.js';
import { isJsonObject } from '../../../../common/parse-json.js';

/** Fault of a full form that can be read all the same. */
export interface UnreadPart {
  /** An unknown member, such as `match` for `conditions`; or one without which nothing happens. */
  readonly type: 'unknown' | 'missing';
  readonly at: string;
}

type Document = Readonly<Record<string, unknown>>;

/** Modes that do nothing without a value. */
const NEEDS_VALUE: ReadonlySet<unknown> = new Set<OverrideMode>([
  ...(['set', 'prepend', 'append', 'trim_prefix', 'trim_suffix', 'ensure_prefix', 'ensure_suffix'] as const),
  'set_header',
]);
/** Members of the object that describes a refusal. */
const ERROR_FIELDS = { message: 0, status_code: 0, type: 0, code: 0 };

/**
 * First place of a full form with an unknown member, or without one that an operation needs; undefined = none. Asked when a
 * document is saved: stored ones go on as they are.
 */
export function unreadOverridePart(document: Document): UnreadPart | undefined {
  const top = unknownIn(document, { operations: 0 }, '');
  if (top !== undefined) return top;
  for (const [index, each] of listOf(document['operations']).entries()) {
    const fault = inOperation(each, `operations.${index}.`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function inOperation(operation: Document, at: string): UnreadPart | undefined {
  const unknown = unknownIn(operation, OPERATION.shape, at) ?? inValue(operation, `${at}value.`);
  if (unknown !== undefined) return unknown;
  if (NEEDS_VALUE.has(operation['mode']) && operation['value'] === undefined)
    return { type: 'missing', at: `${at}value` };
  for (const [place, condition] of listOf(operation['conditions']).entries()) {
    const inside = `${at}conditions.${place}.`;
    const fault = unknownIn(condition, CONDITION.shape, inside);
    if (fault !== undefined) return fault;
    if (condition['value'] === undefined) return { type: 'missing', at: `${inside}value` };
  }
  return undefined;
}

/** Values that are documents themselves. */
function inValue({ mode, value }: Document, at: string): UnreadPart | undefined {
  if (!isJsonObject(value)) return undefined;
  if (mode === 'return_error') return unknownIn(value, ERROR_FIELDS, at);
  // With `where`, nothing beside it is looked at.
  if (mode !== 'prune_objects' || !isJsonObject(value['where'])) return undefined;
  return Object.keys(value['where']).length === 0
    ? { type: 'missing', at: `${at}where` }
    : unknownIn(value, { where: 0 }, at);
}

function unknownIn(value: Document, shape: object, at: string): UnreadPart | undefined {
  const name = Object.keys(value).find((key) => !Object.hasOwn(shape, key));
  return name === undefined ? undefined : { type: 'unknown', at: at + name };
}

const listOf = (value: unknown): readonly Document[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** The place of what is wrong with a new override of either form; undefined = nothing. */
export function faultOfOverride(document: Document): string | undefined {
  if (!isFullForm(document))
    return (
      Object.keys(document).find((name) => name === 'operations' || FIXED_FIELDS.has(name)) ??
      multiplierIn(document)
    );
  const parsed = parseOperations(document);
  if ('operations' in parsed) return unreadOverridePart(document)?.at;
  return parsed.fault.type === 'fixed' ? parsed.fault.member : parsed.fault.at;
}
