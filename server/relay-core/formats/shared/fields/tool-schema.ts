import type { Warning } from '../../../model/warning.js';
import { documentOf, isDocument, listOf, type Document } from './json-fields.js';
import { mergeAllOf, SchemaReferences } from './resolve-schema.js';
import { takesNoObject, wrapParameters } from './wrapped-tools.js';

const MAX_DEPTH = 16;
const UNIONS = ['anyOf', 'oneOf'] as const;
/** What vendors refuse at the root of a tool's schema, beside unions. */
const REFUSED_AT_ROOT = ['not', 'if', 'then', 'else', 'enum', 'const', 'dependentSchemas'] as const;

/**
 * The schema of a tool's arguments as vendors take it: an object at the root, without unions or references there. Branches
 * of a union are merged: every property stays, required is what all branches require; only the alternative is lost.
 * Anthropic, OpenAI's functions and Bedrock refuse any other root (their API references, read 2026-11-25).
 */
export function toolSchema(parameters: unknown, warnings: Warning[]): Document {
  if (!isDocument(parameters)) return { type: 'object', properties: {} };
  if (isPlainObject(parameters)) return parameters;
  if (takesNoObject(parameters)) return wrapParameters(parameters);
  const references = new SchemaReferences(parameters);
  const root = flatten(parameters, references, 0);
  const written: Record<string, unknown> = { ...root, type: 'object' };
  let isLossy = [...UNIONS].some((name) => Array.isArray(parameters[name]));
  for (const name of REFUSED_AT_ROOT) {
    if (written[name] === undefined) continue;
    isLossy = true;
    delete written[name];
  }
  if (isLossy) {
    const reason = 'alternatives at the root of a tool’s schema were merged: this upstream takes none';
    if (!warnings.some((warning) => warning.reason === reason)) warnings.push({ setting: 'tools', reason });
  }
  written['properties'] ??= {};
  return written;
}

/** Most schemas are: they leave as they came. */
const isPlainObject = (schema: Document): boolean =>
  schema['type'] === 'object' &&
  schema['$ref'] === undefined &&
  schema['allOf'] === undefined &&
  UNIONS.every((name) => schema[name] === undefined) &&
  REFUSED_AT_ROOT.every((name) => schema[name] === undefined);

function flatten(
  schema: Document,
  references: SchemaReferences,
  depth: number,
  path: readonly string[] = [],
): Document {
  if (depth > MAX_DEPTH || references.isExhausted) return {};
  const resolved = references.resolve(schema, path);
  const all = listOf(resolved.schema['allOf']).filter(isDocument);
  const merged = mergeAllOf({
    ...resolved.schema,
    ...(all.length === 0
      ? {}
      : { allOf: all.map((one) => flatten(one, references, depth + 1, resolved.path)) }),
  });
  let flat: Record<string, unknown> = { ...merged };
  for (const name of UNIONS) {
    const branches = listOf(merged[name])
      .filter(isDocument)
      .map((one) => flatten(one, references, depth + 1, resolved.path))
      .filter((one) => one['type'] !== 'null');
    delete flat[name];
    if (branches.length > 0) flat = joinBranches(flat, branches);
  }
  return flat;
}

function joinBranches(root: Document, branches: readonly Document[]): Record<string, unknown> {
  const joined: Record<string, unknown> = { ...root };
  for (const branch of branches) {
    for (const name of ['description', 'title', '$defs', 'definitions']) joined[name] ??= branch[name];
  }
  for (const [name, value] of Object.entries(joined)) if (value === undefined) delete joined[name];
  const [first = [], ...others] = branches.map((branch) => listOf(branch['required']));
  const shared = first.filter((name) => others.every((other) => other.includes(name)));
  const required = [...new Set([...listOf(root['required']), ...shared])];
  const isOpen = branches.some((branch) => branch['additionalProperties'] !== false);
  if (!isOpen && Object.keys(documentOf(root['properties'])).length === 0)
    joined['additionalProperties'] = false;
  return {
    ...joined,
    properties: joinProperties(documentOf(root['properties']), branches),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Every property of the root and of the branches: what a value may be in one of the branches it may be here. */
function joinProperties(own: Document, branches: readonly Document[]): Document {
  const properties: Record<string, unknown> = { ...own };
  const each = branches.map((branch) => documentOf(branch['properties']));
  for (const name of new Set(each.flatMap((one) => Object.keys(one)))) {
    const named = each.filter((one) => Object.hasOwn(one, name)).map((one) => one[name]);
    const either = named.reduce(eitherOf);
    // A branch that does not speak of it leaves it to the root.
    const isSaidByAll = named.length === each.length && saysSomething(either);
    if (!Object.hasOwn(own, name)) properties[name] = either;
    else if (isSaidByAll) properties[name] = withWordsOf(own[name], either);
  }
  return properties;
}

/** `true`, `{}` and mere words allow anything. */
const saysSomething = (schema: unknown): boolean =>
  schema === false || (isDocument(schema) && Object.keys(schema).some((name) => !WORDS.has(name)));

const WORDS: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'examples', 'default']);

function withWordsOf(schema: unknown, other: unknown): unknown {
  const { description } = documentOf(schema);
  return description === undefined || !isDocument(other) ? other : { description, ...other };
}

function eitherOf(before: unknown, value: unknown): unknown {
  if (JSON.stringify(before) === JSON.stringify(value) || !saysSomething(before)) return before;
  if (!saysSomething(value)) return value;
  const known =
    isDocument(before) && Array.isArray(before['anyOf']) && Object.keys(before).length === 1
      ? listOf(before['anyOf'])
      : [before];
  return { anyOf: [...known, value] };
}
