import { isDocument, type Document } from './json-fields.js';

/** Keywords Claude's decoder refuses (structured outputs, read 2026-11-21); they become words of the description. */
const REFUSED: readonly string[] = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'pattern',
];
const FORMATS: ReadonlySet<string> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);
const MAPS = ['properties', '$defs', 'definitions'] as const;
const LISTS = ['anyOf', 'allOf', 'oneOf'] as const;

/** A schema Claude's decoder takes, wherever Claude is served: objects closed, refused keywords moved to the description. */
export function claudeSchema(schema: unknown): unknown {
  if (!isDocument(schema)) return schema;
  const written: Record<string, unknown> = { ...schema };
  const told: string[] = [];
  for (const name of REFUSED) tell(written, name, told);
  if (typeof schema['format'] === 'string' && !FORMATS.has(schema['format'])) tell(written, 'format', told);
  if (typeof schema['minItems'] === 'number' && schema['minItems'] > 1) tell(written, 'minItems', told);
  for (const name of MAPS) if (isDocument(schema[name])) written[name] = mapValues(schema[name]);
  for (const name of LISTS) {
    const list = schema[name];
    if (Array.isArray(list)) written[name === 'oneOf' ? 'anyOf' : name] = list.map(claudeSchema);
  }
  delete written['oneOf'];
  if (schema['items'] !== undefined) written['items'] = claudeSchema(schema['items']);
  if (schema['type'] === 'object' || isDocument(schema['properties']))
    written['additionalProperties'] = false;
  if (told.length > 0) {
    const before = typeof schema['description'] === 'string' ? `${schema['description']} ` : '';
    written['description'] = `${before}(${told.join(', ')})`;
  }
  return written;
}

function tell(schema: Record<string, unknown>, name: string, told: string[]): void {
  if (schema[name] === undefined) return;
  told.push(`${name}: ${JSON.stringify(schema[name])}`);
  delete schema[name];
}

const mapValues = (map: Document): Document =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, claudeSchema(value)]));
