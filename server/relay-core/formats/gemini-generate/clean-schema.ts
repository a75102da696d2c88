import { documentOf, isDocument, listOf, type Document } from '../shared/fields/json-fields.js';
import type { Warning } from '../../model/warning.js';
import { mergeAllOf, SchemaReferences } from '../shared/fields/resolve-schema.js';

const MAX_DEPTH = 64;

/** Members Gemini's own schemas have. */
const PLAIN_FIELDS = [
  'default',
  'description',
  'example',
  'format',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'nullable',
  'pattern',
  'propertyOrdering',
  'required',
  'title',
] as const;

/** Formats Gemini knows; others are refused. */
const FORMATS: Readonly<Record<string, ReadonlySet<string>>> = {
  STRING: new Set(['enum', 'date-time']),
  NUMBER: new Set(['float', 'double']),
  INTEGER: new Set(['int32', 'int64']),
};

/**
 * A JSON schema in the dialect Gemini's `parameters` and `responseSchema` have: references
 * resolved, `const` as a list of one, `oneOf` as `anyOf`, `allOf` merged, several types as alternatives, types in upper
 * case. What the dialect lacks is left out and named in the warnings.
 * @param setting  what of the request the schema belongs to
 * @returns undefined when there is nothing to fill in: no schema, or an object without properties
 */
export function cleanSchema(schema: unknown, setting: string, warnings: Warning[]): Document | undefined {
  if (!isDocument(schema)) return undefined;
  const lost = new Set<string>();
  const cleaned = clean(schema, { references: new SchemaReferences(schema), lost }, [], 0);
  const names = [...lost].filter((name) => PLAIN_NAME.test(name)).slice(0, MAX_NAMES);
  if (names.length > 0)
    warnings.push({ setting, reason: `schemas of this format have no ${names.join(', ')}: left out` });
  const isEmptyObject =
    cleaned['type'] === 'OBJECT' && Object.keys(documentOf(cleaned['properties'])).length === 0;
  return isEmptyObject || Object.keys(cleaned).length === 0 ? undefined : cleaned;
}

/** Names of members are the caller's. */
const PLAIN_NAME = /^[\w$-]{1,64}$/;
const MAX_NAMES = 10;

/** Settings of cleaning one schema. */
interface Cleaning {
  readonly references: SchemaReferences;
  /** Members that were left out. */
  readonly lost: Set<string>;
}

function clean(
  sent: Document,
  { references, lost }: Cleaning,
  path: readonly string[],
  depth: number,
): Record<string, unknown> {
  if (depth >= MAX_DEPTH || references.isExhausted) return { type: 'OBJECT' };
  const resolved = references.resolve(sent, path);
  const merged = mergeAllOf(resolved.schema);
  const whole = 'allOf' in resolved.schema ? references.resolve(merged, resolved.path).schema : merged;
  const source = splitTypes(whole);
  const inner = (value: unknown): Record<string, unknown> =>
    clean(documentOf(value), { references, lost }, resolved.path, depth + 1);
  const target: Record<string, unknown> = {};
  for (const name of PLAIN_FIELDS) if (source[name] !== undefined) target[name] = source[name];
  takeExclusive(source, target);
  takeType(source, target);
  takeChoices(source, target);
  takeInner(source, target, inner);
  for (const name of Object.keys(source)) if (isLost(source, name)) lost.add(name);
  const formats = FORMATS[String(target['type'])];
  if (target['format'] !== undefined && formats?.has(String(target['format'])) !== true) {
    lost.add('format');
    delete target['format'];
  }
  if (Array.isArray(target['required'])) {
    const properties = documentOf(target['properties']);
    const required = target['required'].filter((name) => typeof name === 'string' && name in properties);
    if (required.length > 0) target['required'] = required;
    else delete target['required'];
  }
  return target;
}

/** Members that are read into another form, and those that bind no value. */
const READ_FIELDS: ReadonlySet<string> = new Set([
  ...PLAIN_FIELDS,
  'type',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
  'properties',
  'items',
  'prefixItems',
  'exclusiveMinimum',
  'exclusiveMaximum',
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** Objects of this format are closed anyway; a list has one kind of items. */
function isLost(source: Document, name: string): boolean {
  if (source[name] === undefined) return false;
  if (name === 'additionalProperties' || name === 'unevaluatedProperties') return source[name] !== false;
  if (name === 'prefixItems') return listOf(source[name]).length > 1;
  return !READ_FIELDS.has(name);
}

/** Keywords for values of one type only. */
const OF_NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const OF_TYPE: ReadonlyMap<string, readonly string[]> = new Map([
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems']],
  ['object', ['properties', 'required', 'minProperties', 'maxProperties', 'propertyOrdering']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', OF_NUMBERS],
  ['integer', OF_NUMBERS],
]);
const OF_ANY_TYPE: ReadonlySet<string> = new Set([...OF_TYPE.values()].flat());

/** Several types as alternatives, each with its keywords: Google requires `items` beside every list. */
function splitTypes(source: Document): Document {
  const types = listOf(source['type']).filter((one): one is string => typeof one === 'string');
  const real = types.filter((one) => one.toLowerCase() !== 'null');
  if (real.length < 2 || source['anyOf'] !== undefined || source['oneOf'] !== undefined) return source;
  const shared = Object.entries(source).filter(([name]) => name !== 'type' && !OF_ANY_TYPE.has(name));
  const anyOf = real.map((type) => {
    const own = (OF_TYPE.get(type.toLowerCase()) ?? []).filter((name) => source[name] !== undefined);
    return { type, ...Object.fromEntries(own.map((name) => [name, source[name]])) };
  });
  const isNullable = real.length < types.length;
  return { ...Object.fromEntries(shared), anyOf: isNullable ? [...anyOf, { type: 'null' }] : anyOf };
}

function takeExclusive(source: Document, target: Record<string, unknown>): void {
  if (typeof source['exclusiveMinimum'] === 'number') target['minimum'] ??= source['exclusiveMinimum'];
  if (typeof source['exclusiveMaximum'] === 'number') target['maximum'] ??= source['exclusiveMaximum'];
}

function takeType(source: Document, target: Record<string, unknown>): void {
  const { type } = source;
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string') as string[];
  if (types.some((one) => one.toLowerCase() === 'null')) target['nullable'] = true;
  const real = types.filter((one) => one.toLowerCase() !== 'null').map((one) => one.toUpperCase());
  if (real[0] !== undefined) target['type'] = real[0];
  else if (source['properties'] !== undefined) target['type'] = 'OBJECT';
  else if (source['items'] !== undefined) target['type'] = 'ARRAY';
}

/** Gemini's lists of allowed values hold texts only. */
function takeChoices(source: Document, target: Record<string, unknown>): void {
  const values = Array.isArray(source['enum'])
    ? source['enum']
    : source['const'] === undefined
      ? undefined
      : [source['const']];
  if (values === undefined) return;
  const real = values.filter((value) => value !== null);
  if (real.length < values.length) target['nullable'] = true;
  if (real.length === 0) return;
  if (target['type'] === undefined) target['type'] = typeOfValue(real[0]);
  if (target['type'] === 'STRING') target['enum'] = real.map(String);
  // Numbers and flags cannot be listed: the description names them.
  else if (target['description'] === undefined)
    target['description'] = `One of: ${real.map(String).join(', ')}`;
}

function typeOfValue(value: unknown): string {
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (typeof value === 'number') return Number.isInteger(value) ? 'INTEGER' : 'NUMBER';
  return 'STRING';
}

function takeInner(
  source: Document,
  target: Record<string, unknown>,
  inner: (value: unknown) => Record<string, unknown>,
): void {
  if (isDocument(source['properties'])) {
    target['properties'] = Object.fromEntries(
      Object.entries(source['properties']).map(([name, value]) => [name, inner(value)]),
    );
  }
  const { items } = source;
  const item = Array.isArray(items) ? items[0] : (items ?? listOf(source['prefixItems'])[0]);
  if (isDocument(item)) target['items'] = inner(item);
  else if (target['type'] === 'ARRAY') target['items'] = { type: 'STRING' };
  const alternatives = listOf(source['anyOf'] ?? source['oneOf'])
    .filter(isDocument)
    .map(inner);
  if (alternatives.length === 0) return;
  const real = alternatives.filter(
    (one) => one['type'] !== undefined || Object.keys(one).some(hasConstraints),
  );
  // Branches with `required` alone have no counterpart here; they are not null.
  if (alternatives.some((one) => one['nullable'] === true && !real.includes(one))) target['nullable'] = true;
  const [only] = real;
  if (real.length === 1 && only !== undefined) {
    for (const [name, value] of Object.entries(only)) target[name] ??= value;
  } else if (real.length > 1) target['anyOf'] = real;
}

/** A schema of nothing but `nullable` is what `{"type": "null"}` became. */
const hasConstraints = (name: string): boolean =>
  name !== 'nullable' && name !== 'title' && name !== 'description';
