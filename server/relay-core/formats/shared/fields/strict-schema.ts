import type { ResponseFormat } from '../../../model/chat.js';
import type { Tool } from '../../../model/tool.js';
import type { Warning } from '../../../model/warning.js';
import { OPENAI_ROOTS, rowFor } from './tool-roots.js';
import { toolSchema } from './tool-schema.js';
import { documentOf, isDocument, listOf, type Document } from './json-fields.js';

const MAX_DEPTH = 32;
const MAPS = ['$defs', 'definitions'] as const;
/** Keywords for which OpenAI's strict mode has no words (structured outputs, read 2026-11-25). */
const REFUSED = [
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'unevaluatedProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'unevaluatedItems',
  'contains',
  'minContains',
  'maxContains',
  'uniqueItems',
  'prefixItems',
];

/** Formats of texts that strict mode knows; it refuses the schema for any other (structured outputs, read 2026-11-26). */
const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);

/**
 * A schema in the subset OpenAI's strict mode takes: objects closed, every member required, optional ones nullable, `oneOf`
 * as `anyOf`, no defaults, formats it does not know moved to the description. A schema that is in it already comes back as it is.
 * @returns undefined when it cannot be brought there without another meaning: then it is not strict
 */
function strictSchema(schema: unknown): Document | undefined {
  if (!isDocument(schema) || schema['type'] !== 'object' || schema['anyOf'] !== undefined) return undefined;
  const written = strict(schema, 0);
  return isDocument(written) ? written : undefined;
}

function strict(schema: unknown, depth: number): unknown {
  if (!isDocument(schema) || depth > MAX_DEPTH) return undefined;
  if (REFUSED.some((name) => schema[name] !== undefined)) return undefined;
  const written: Record<string, unknown> = { ...schema };
  delete written['default'];
  delete written['$schema'];
  if (schema['format'] !== undefined && !FORMATS.has(schema['format'])) {
    delete written['format'];
    const before = typeof schema['description'] === 'string' ? `${schema['description']} ` : '';
    written['description'] = `${before}(format: ${JSON.stringify(schema['format'])})`;
  }
  for (const name of MAPS) {
    if (isDocument(schema[name]) && !putAll(written, name, schema[name], depth)) return undefined;
  }
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (alternatives !== undefined) {
    delete written['oneOf'];
    const all = listOf(alternatives).map((one) => strict(one, depth + 1));
    if (all.length === 0 || all.includes(undefined)) return undefined;
    written['anyOf'] = all;
  }
  if (schema['items'] !== undefined) {
    const items = strict(schema['items'], depth + 1);
    if (items === undefined) return undefined;
    written['items'] = items;
  }
  const types = listOf(Array.isArray(schema['type']) ? schema['type'] : [schema['type']]);
  if (!types.includes('object') && !isDocument(schema['properties'])) {
    const says = ['type', 'anyOf', '$ref', 'enum', 'const'].some((name) => written[name] !== undefined);
    return says && !(types.includes('array') && schema['items'] === undefined) ? written : undefined;
  }
  // Members of any name cannot be promised.
  const more = schema['additionalProperties'];
  const properties = documentOf(schema['properties']);
  const isMap =
    isDocument(more) || more === true || (more === undefined && Object.keys(properties).length === 0);
  if (isMap && depth > 0) return undefined;
  if (isMap && Object.keys(properties).length === 0 && more !== undefined) return undefined;
  if (!putAll(written, 'properties', properties, depth)) return undefined;
  const required = new Set(listOf(schema['required']));
  const made = documentOf(written['properties']);
  written['properties'] = Object.fromEntries(
    Object.entries(made).map(([name, value]) => [
      name,
      required.has(name) ? value : nullable(documentOf(value)),
    ]),
  );
  written['required'] = Object.keys(properties);
  written['additionalProperties'] = false;
  return written;
}

function putAll(target: Record<string, unknown>, name: string, map: Document, depth: number): boolean {
  const entries = Object.entries(map).map(([key, value]) => [key, strict(value, depth + 1)] as const);
  target[name] = Object.fromEntries(entries);
  return entries.every(([, value]) => value !== undefined);
}

/** An optional member is null instead. */
function nullable(schema: Document): Document {
  const { type } = schema;
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return schema;
  if (Array.isArray(schema['anyOf'])) {
    const isThere = schema['anyOf'].some((one) => documentOf(one)['type'] === 'null');
    return isThere ? schema : { ...schema, anyOf: [...(schema['anyOf'] as unknown[]), { type: 'null' }] };
  }
  if (typeof type === 'string' && schema['enum'] === undefined && schema['const'] === undefined) {
    return { ...schema, type: [type, 'null'] };
  }
  const { description, ...rest } = schema;
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: 'null' }] };
}

const NOT_STRICT: Warning = {
  setting: 'strict',
  reason: 'this schema has forms that strict mode does not take: it is followed, not enforced',
};

/** A function's schema for OpenAI's formats: strict in the subset they promise to keep, or not strict. */
export function strictTool(
  tool: Pick<Extract<Tool, { type: 'function' }>, 'parameters' | 'isStrict'>,
  model: string,
  warnings: Warning[],
): { readonly parameters: Document; readonly isStrict: boolean | undefined } {
  const parameters = toolSchema(tool.parameters, rowFor(OPENAI_ROOTS, model).roots, warnings);
  if (tool.isStrict !== true) return { parameters, isStrict: tool.isStrict };
  const bound = strictSchema(parameters);
  if (bound !== undefined) return { parameters: bound, isStrict: true };
  warnings.push(NOT_STRICT);
  return { parameters, isStrict: false };
}

/** The same for the schema of an answer. */
export function strictFormat(format: ResponseFormat, warnings: Warning[]): ResponseFormat {
  if (format.type !== 'json-schema' || format.isStrict !== true) return format;
  const schema = strictSchema(format.schema);
  if (schema !== undefined) return { ...format, schema };
  warnings.push(NOT_STRICT);
  return { ...format, isStrict: false };
}
