import { getOrAdd } from '../../../../common/get-or-add.js';
import { cloneExact, parseExact, plainNumber } from '../../../framing/exact-json.js';
import { fail, ok, type Result } from '../../../../common/result.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import {
  type BodyPath,
  deletePath,
  isObject,
  type JsonObject,
  parsePath,
  readPath,
  writePath,
} from './body-path.js';
import { callerHeader, type CallerHeaders, isOverridableHeader } from './header-override.js';
import { conditionsHold, type OverrideContext } from './override-conditions.js';
import {
  CAP_PATHS,
  FIXED_FIELDS,
  isFullForm,
  type OverrideOperation,
  parseOperations,
} from './override-rules.js';
import { CONTAINERS, DEEPEST_CONTAINER, MULTIPLIERS } from '../output-limits.js';
import { editText, extend, prune } from './value-edits.js';

export type { OverrideContext } from './override-conditions.js';

export interface OverriddenRequest {
  readonly body: Buffer;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Places on model, tier, prompt and system an operation wrote, for the log. */
  readonly notes: readonly string[];
}

interface Draft {
  readonly body: JsonObject;
  readonly headers: Record<string, string>;
  readonly callerHeaders: CallerHeaders;
  readonly context: OverrideContext;
  readonly notes: Set<string>;
}

const compiled = new WeakMap<Readonly<Record<string, unknown>>, readonly OverrideOperation[]>();

/** The operations of a channel's override, parsed once; a flat object counts as one `set` per member. */
function operationsOf(override: Readonly<Record<string, unknown>>): readonly OverrideOperation[] {
  return getOrAdd(compiled, override, () =>
    isFullForm(override) ? readFullForm(override) : readFlatForm(override),
  );
}

/** It was checked when it was saved; one that is no longer understood changes nothing. */
function readFullForm(override: Readonly<Record<string, unknown>>): readonly OverrideOperation[] {
  const parsed = parseOperations(override);
  return 'operations' in parsed ? parsed.operations : [];
}

const readFlatForm = (override: Readonly<Record<string, unknown>>): readonly OverrideOperation[] =>
  Object.entries(override)
    .filter(([name]) => !FIXED_FIELDS.has(name))
    .map(([name, value]) => ({ ...PLAIN_SET, path: name, value }));

const PLAIN_SET = { mode: 'set', keep_origin: false, from: '', to: '', logic: 'OR', conditions: [] } as const;

/** The flat form's names are whole members, dots included; the full form's are paths. */
const pathOf = (operation: OverrideOperation, isFlat: boolean): BodyPath | undefined =>
  isFlat ? [operation.path] : parsePath(operation.path);

/**
 * Applies a channel's parameter override to a finished JSON body and its headers. Members that were
 * priced keep their value, and caps are lowered at most, whatever an operation does.
 * Fails: upstream-request-rejected when an operation `return_error` applies; it is not tried elsewhere.
 */
export function overrideRequest(
  request: { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> },
  override: Readonly<Record<string, unknown>> | undefined,
  source: { readonly context: OverrideContext; readonly callerHeaders: CallerHeaders },
): Result<OverriddenRequest, RelayError> {
  if (override === undefined) return ok({ ...request, notes: [] });
  const operations = operationsOf(override);
  const document = readBody(request.body, operations);
  if (!isObject(document)) return ok({ ...request, notes: [] });
  const before = priced(document);
  const draft: Draft = {
    body: document,
    headers: { ...request.headers },
    callerHeaders: source.callerHeaders,
    context: source.context,
    notes: new Set(),
  };
  const isFlat = !isFullForm(override);
  for (const operation of operations) {
    if (!conditionsHold(operation, draft.body, draft.callerHeaders, draft.context)) continue;
    if (operation.mode === 'return_error') return fail(errorOf(operation.value));
    apply(draft, operation, isFlat);
  }
  const { headers } = draft;
  if (touchesHeadersOnly(operations)) return ok({ body: request.body, headers, notes: [] });
  restore(document, before);
  return ok({ body: Buffer.from(JSON.stringify(document)), headers, notes: [...draft.notes] });
}

/** Bytes without edits or conditions need not be read: they leave as they came. */
const readBody = (body: Buffer, operations: readonly OverrideOperation[]): unknown =>
  touchesHeadersOnly(operations) ? {} : parseExact(body.toString('utf8'));

const touchesHeadersOnly = (operations: readonly OverrideOperation[]): boolean =>
  operations.every(({ mode, conditions }) =>
    mode.endsWith('_header') || mode === 'pass_headers' ? conditions.length === 0 : false,
  );

function apply(draft: Draft, operation: OverrideOperation, isFlat: boolean): void {
  const { body } = draft;
  switch (operation.mode) {
    case 'set': {
      const path = pathOf(operation, isFlat);
      if (path !== undefined && !(operation.keep_origin && readPath(body, path) !== undefined))
        write(draft, path, structuredClone(operation.value));
      return;
    }
    case 'delete': {
      const path = pathOf(operation, isFlat);
      if (path !== undefined && deletePath(body, path)) note(draft, path);
      return;
    }
    case 'move':
    case 'copy':
      return transfer(draft, operation);
    case 'prepend':
    case 'append':
      return edit(draft, operation, (value) =>
        extend(value, operation.value, {
          atEnd: operation.mode === 'append',
          keepOrigin: operation.keep_origin,
        }),
      );
    case 'prune_objects':
      prune(operation.path === '' ? body : readPath(body, operation.path.split('.')), operation.value);
      return;
    case 'sync_fields':
      return syncFields(draft, operation);
    case 'set_header':
    case 'delete_header':
    case 'copy_header':
    case 'move_header':
    case 'pass_headers':
      return editHeaders(draft, operation);
    case 'return_error':
      return;
    default:
      return edit(draft, operation, (value) =>
        typeof value === 'string' ? editText(value, operation) : value,
      );
  }
}

function edit(draft: Draft, operation: OverrideOperation, change: (value: unknown) => unknown): void {
  const path = parsePath(operation.path);
  if (path === undefined) return;
  const before = readPath(draft.body, path);
  const after = change(before);
  if (after !== undefined && after !== before) write(draft, path, after);
}

function transfer(draft: Draft, operation: OverrideOperation): void {
  const from = parsePath(operation.from);
  const to = parsePath(operation.to);
  if (from === undefined || to === undefined) return;
  const value = readPath(draft.body, from);
  if (value === undefined) return;
  if (operation.keep_origin && readPath(draft.body, to) !== undefined) return;
  if (operation.mode === 'move') deletePath(draft.body, from);
  write(draft, to, operation.mode === 'move' ? value : cloneExact(value));
}

function write(draft: Draft, path: BodyPath, value: unknown): void {
  if (writePath(draft.body, path, value)) note(draft, path);
}

const KEY_FLAGS: ReadonlySet<string> = new Set([
  'model',
  'service_tier',
  'messages',
  'input',
  'prompt',
  'system',
  'instructions',
  'contents',
  'systemInstruction',
  'system_instruction',
]);

function note(draft: Draft, path: BodyPath): void {
  if (KEY_FLAGS.has(path[0] ?? '')) draft.notes.add(path.join('.'));
}

/** Places written `json:path` or `header:Name`: whichever is empty takes the other's value. */
function syncFields(draft: Draft, { from, to }: OverrideOperation): void {
  const [first, second] = [readPlace(draft, from), readPlace(draft, to)];
  if (isEmpty(first) && !isEmpty(second)) writePlace(draft, from, second);
  else if (isEmpty(second) && !isEmpty(first)) writePlace(draft, to, first);
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

function readPlace(draft: Draft, place: string): unknown {
  if (place.startsWith('json:')) return readPath(draft.body, place.slice(5).split('.'));
  const name = place.slice('header:'.length).toLowerCase();
  return draft.headers[name] ?? callerHeader(draft.callerHeaders, name);
}

function writePlace(draft: Draft, place: string, value: unknown): void {
  if (place.startsWith('json:')) write(draft, place.slice(5).split('.'), value);
  else setHeader(draft, place.slice('header:'.length), value);
}

function editHeaders(draft: Draft, operation: OverrideOperation): void {
  const { mode, path, from, to, keep_origin: keepOrigin } = operation;
  const { headers } = draft;
  switch (mode) {
    case 'set_header':
      if (!(keepOrigin && headers[path.toLowerCase()] !== undefined)) setHeader(draft, path, operation.value);
      return;
    case 'delete_header':
      delete headers[path.toLowerCase()];
      return;
    case 'copy_header':
    case 'move_header': {
      const value = headers[from.toLowerCase()] ?? callerHeader(draft.callerHeaders, from);
      if (value === undefined || (keepOrigin && headers[to.toLowerCase()] !== undefined)) return;
      if (mode === 'move_header') delete headers[from.toLowerCase()];
      setHeader(draft, to, value);
      return;
    }
    default: {
      const names = typeof operation.value === 'string' ? operation.value.split(',') : operation.value;
      for (const name of Array.isArray(names) ? names : []) {
        const value = typeof name === 'string' ? callerHeader(draft.callerHeaders, name.trim()) : undefined;
        if (value !== undefined && typeof name === 'string') setHeader(draft, name.trim(), value);
      }
    }
  }
}

function setHeader(draft: Draft, name: string, value: unknown): void {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (!isText || !isOverridableHeader(name) || !/^[\t\x20-\x7e]{0,4096}$/.test(String(value))) return;
  draft.headers[name.toLowerCase()] = String(value);
}

interface Priced {
  readonly fixed: ReadonlyMap<string, unknown>;
  readonly caps: ReadonlyMap<string, number>;
  readonly multipliers: readonly Multiplier[];
}

/** A member of a container by which a call makes several answers. */
interface Multiplier {
  readonly path: BodyPath;
  readonly value: unknown;
}

function priced(body: JsonObject): Priced {
  const fixed = new Map([...FIXED_FIELDS].map((name) => [name, cloneExact(readPath(body, [name]))] as const));
  const caps = new Map<string, number>();
  for (const path of CAP_PATHS) {
    const cap = plainNumber(readPath(body, path.split('.')));
    if (typeof cap === 'number') caps.set(path, cap);
  }
  return { fixed, caps, multipliers: multipliersIn(body) };
}

/** Those in containers; the top-level ones are fixed. @param path  of the object */
function multipliersIn(object: JsonObject, path: BodyPath = []): readonly Multiplier[] {
  const found: Multiplier[] = [];
  for (const [name, value] of Object.entries(object)) {
    const place = [...path, name];
    if (path.length > 0 && MULTIPLIERS.has(name)) found.push({ path: place, value: cloneExact(value) });
    else if (CONTAINERS.has(name) && path.length < DEEPEST_CONTAINER && isObject(value))
      found.push(...multipliersIn(value, place));
  }
  return found;
}

/** Puts back what was priced, in case an operation reached it through a container; caps only ever go down. */
function restore(body: JsonObject, { fixed, caps, multipliers }: Priced): void {
  for (const [name, value] of fixed) putBack(body, [name], value);
  for (const { path } of multipliersIn(body)) deletePath(body, path);
  for (const { path, value } of multipliers) writePath(body, path, value);
  for (const [path, before] of caps) {
    const place = path.split('.');
    const after = readPath(body, place);
    if (typeof after !== 'number' || after > before || after < 0) writePath(body, place, before);
  }
}

function putBack(body: JsonObject, place: BodyPath, value: unknown): void {
  if (value === undefined) deletePath(body, place);
  else writePath(body, place, value);
}

function errorOf(value: unknown): RelayError {
  const form = isObject(value) ? value : { message: value };
  const text = (name: string): string | undefined => {
    const member = form[name];
    return typeof member === 'string' && member !== '' ? member : undefined;
  };
  const status = form['status_code'];
  return {
    kind: 'upstream-request-rejected',
    blame: 'upstream',
    message: text('message') ?? refusal('rule-refused').message,
    upstreamStatus: typeof status === 'number' ? status : 400,
    isFinal: true,
    ...(text('type') === undefined ? {} : { vendorType: text('type') ?? '' }),
    ...(text('code') === undefined ? {} : { vendorCode: text('code') ?? '' }),
  };
}
