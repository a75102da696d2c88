import { plainNumber } from '../../../framing/exact-json.js';
import { parsePath, readPath } from './body-path.js';
import { callerHeader, type CallerHeaders } from './header-override.js';
import type { OverrideCondition, OverrideOperation } from './override-rules.js';

/** Facts that conditions may read beside the body and the caller's headers. */
export interface OverrideContext {
  readonly model: string;
  readonly upstreamModel: string;
  readonly requestPath: string;
  /** 0 = first attempt. */
  readonly retryIndex: number;
  readonly lastError?: {
    readonly status?: number | undefined;
    readonly message: string;
    readonly code?: string | undefined;
    readonly type?: string | undefined;
  };
  readonly isChannelTest: boolean;
}

/** No condition = always. OR by default, AND on request. */
export function conditionsHold(
  operation: Pick<OverrideOperation, 'conditions' | 'logic'>,
  body: unknown,
  headers: CallerHeaders,
  context: OverrideContext,
): boolean {
  const { conditions, logic } = operation;
  if (conditions.length === 0) return true;
  const holds = (condition: OverrideCondition): boolean => {
    const value = valueOf(condition.path, body, headers, context);
    if (value === undefined) return condition.pass_missing_key;
    return compare(value, condition) !== condition.invert;
  };
  return logic === 'AND' ? conditions.every(holds) : conditions.some(holds);
}

/** A name of the context, `header:Name` (or `request_headers.name`), else a place in the body. */
function valueOf(path: string, body: unknown, headers: CallerHeaders, context: OverrideContext): unknown {
  const known = contextValue(path, context);
  if (known !== undefined) return known === null ? undefined : known;
  const header = /^(?:header:|request_headers\.)(.+)$/.exec(path)?.[1];
  if (header !== undefined) return callerHeader(headers, header);
  const place = parsePath(path);
  return place === undefined ? undefined : readPath(body, place);
}

/** Undefined = no name of the context; null = one that has no value now. */
function contextValue(path: string, context: OverrideContext): string | number | boolean | null | undefined {
  switch (path) {
    case 'model':
    case 'upstream_model':
      return context.upstreamModel;
    case 'original_model':
      return context.model;
    case 'request_path':
      return context.requestPath;
    case 'retry_index':
      return context.retryIndex;
    case 'is_retry':
      return context.retryIndex > 0;
    case 'last_error_status_code':
      return context.lastError?.status ?? null;
    case 'last_error_message':
      return context.lastError?.message ?? null;
    case 'last_error_code':
      return context.lastError?.code ?? null;
    case 'last_error_type':
      return context.lastError?.type ?? null;
    case 'is_channel_test':
      return context.isChannelTest;
    default:
      return undefined;
  }
}

function compare(value: unknown, { mode, value: wanted }: OverrideCondition): boolean {
  switch (mode) {
    case 'full':
      return value === wanted || (typeof value !== 'string' && textOf(value) === textOf(wanted));
    case 'prefix':
      return textOf(value).startsWith(textOf(wanted));
    case 'suffix':
      return textOf(value).endsWith(textOf(wanted));
    case 'contains':
      return Array.isArray(value) ? value.includes(wanted) : textOf(value).includes(textOf(wanted));
    default:
      return compareNumbers(numberIn(value), numberIn(wanted), mode);
  }
}

function compareNumbers(left: number, right: number, mode: 'gt' | 'gte' | 'lt' | 'lte'): boolean {
  if (Number.isNaN(left) || Number.isNaN(right)) return false;
  if (mode === 'gt') return left > right;
  if (mode === 'gte') return left >= right;
  return mode === 'lt' ? left < right : left <= right;
}

/** A number, or a text of one; NaN = neither: nothing is more or less than what is not there. */
function numberIn(value: unknown): number {
  const plain = plainNumber(value);
  if (typeof plain === 'string' && plain.trim() !== '') return Number(plain);
  return typeof plain === 'number' ? plain : Number.NaN;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
