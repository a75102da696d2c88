import type { Tool } from '../../../model/tool.js';
import type { Warning } from '../../../model/warning.js';
import { readField, type ScannedObject } from '../../../framing/json-splice.js';
import { documentOf, given, isDocument, listOf, type Document } from './json-fields.js';
import { inlineReferences, mergeAllOf, SchemaReferences } from './resolve-schema.js';
import {
  formOfField,
  mapToolSchemas,
  OPENAI_ROOTS,
  PLAIN_ROOTS,
  rowFor,
  takesRoot,
  type ToolRoots,
} from './tool-roots.js';
import { takesNoObject, wrapParameters } from './wrapped-tools.js';

const MAX_DEPTH = 16;
const UNIONS = ['anyOf', 'oneOf'] as const;
const DEFINITIONS = ['$defs', 'definitions'] as const;

/**
 * The schema of a tool's arguments with a root its vendor takes. Branches of a union are merged: every property stays, required
 * is what all branches require; only the alternative is lost.
 */
export function toolSchema(parameters: unknown, roots: ToolRoots, warnings: Warning[]): Document {
  if (!isDocument(parameters)) return { type: 'object', properties: {} };
  if (takesRoot(roots, parameters)) return parameters;
  if (takesNoObject(parameters)) return withFields(wrapParameters(parameters), roots);
  const root = flatten(parameters, new SchemaReferences(parameters), 0);
  const written: Record<string, unknown> = { ...root, type: 'object' };
  let isLossy = UNIONS.some((name) => Array.isArray(parameters[name]));
  for (const name of Object.keys(written)) {
    const form = formOfField(name);
    if (form === undefined || roots.takes.includes(form)) continue;
    isLossy = true;
    delete written[name];
  }
  if (isLossy) {
    const reason = 'alternatives at the root of a tool’s schema were merged: this upstream takes none';
    if (!warnings.some((warning) => warning.reason === reason)) warnings.push({ setting: 'tools', reason });
  }
  written['properties'] ??= {};
  return withFields(written, roots);
}

/** A tool as vendors write it who took OpenAI's form of it and bind no arguments to a schema. */
export const plainFunction = (
  { name, description, parameters }: Extract<Tool, { type: 'function' }>,
  warnings: Warning[],
): Document => ({
  type: 'function',
  function: {
    name,
    ...given('description', description),
    parameters: toolSchema(parameters, PLAIN_ROOTS, warnings),
  },
});

/** A root of the members its vendor takes; what they refer to stands in its place. */
function withFields(root: Document, { members }: ToolRoots): Document {
  if (members === undefined) return root;
  const hasDefinitions = DEFINITIONS.some((name) => root[name] !== undefined);
  const whole = hasDefinitions ? inlineReferences(root) : root;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => members.includes(name)));
}

/**
 * A caller's own list of tools in a body that passes untouched otherwise, where the model refuses its roots; undefined = it stays.
 * Schemas that are no objects stay too: their arguments would come back in another form.
 */
export function repairedToolList(
  document: ScannedObject,
  name: 'tools' | 'functions',
  model: string,
  warnings: Warning[],
): unknown {
  const { roots, mendsOwnCallers } = rowFor(OPENAI_ROOTS, model);
  if (mendsOwnCallers !== true || !document.members.has(name)) return undefined;
  const tools = readField(document, name);
  const mended = mapToolSchemas(tools, (schema) =>
    takesNoObject(schema) ? schema : toolSchema(schema, roots, warnings),
  );
  return mended === tools ? undefined : mended;
}

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
    // A branch without it leaves it to the root.
    const isSaidByAll = named.length === each.length && hasConstraints(either);
    if (!Object.hasOwn(own, name)) properties[name] = either;
    else if (isSaidByAll) properties[name] = withTextOf(own[name], either);
  }
  return properties;
}

/** `true`, `{}` and mere words allow anything. */
const hasConstraints = (schema: unknown): boolean =>
  schema === false || (isDocument(schema) && Object.keys(schema).some((name) => !WORDS.has(name)));

const WORDS: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'examples', 'default']);

function withTextOf(schema: unknown, other: unknown): unknown {
  const { description } = documentOf(schema);
  return description === undefined || !isDocument(other) ? other : { description, ...other };
}

function eitherOf(before: unknown, value: unknown): unknown {
  if (JSON.stringify(before) === JSON.stringify(value) || !hasConstraints(before)) return before;
  if (!hasConstraints(value)) return value;
  const known =
    isDocument(before) && Array.isArray(before['anyOf']) && Object.keys(before).length === 1
      ? listOf(before['anyOf'])
      : [before];
  return { anyOf: [...known, value] };
}
