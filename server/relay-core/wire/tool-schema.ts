import type { Warning } from '../model/warning.js';
import { documentOf, isDocument, listOf, type Document } from './json-fields.js';
import { mergeAllOf, SchemaReferences } from './resolve-schema.js';

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
  const properties: Record<string, unknown> = { ...documentOf(root['properties']) };
  for (const branch of branches) {
    for (const [name, value] of Object.entries(documentOf(branch['properties']))) {
      properties[name] = either(properties[name], value);
    }
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
    properties,
    ...(required.length === 0 ? {} : { required }),
  };
}

function either(before: unknown, value: unknown): unknown {
  if (before === undefined || JSON.stringify(before) === JSON.stringify(value)) return value;
  // `true` and `{}` say nothing; the other one says more.
  if (!isDocument(value) || Object.keys(value).length === 0) return before;
  if (!isDocument(before) || Object.keys(before).length === 0) return value;
  const known =
    Array.isArray(before['anyOf']) && Object.keys(before).length === 1 ? listOf(before['anyOf']) : [before];
  return { anyOf: [...known, value] };
}
