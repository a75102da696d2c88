import { isDocument, listOf, type Document } from '../shared/fields/json-fields.js';
import { camelFields } from '../shared/fields/proto-names.js';

const MAX_DEPTH = 64;

/** Gemini's schema as a JSON schema other grammars read: types in lower case, `nullable` as a type of its own. */
export function openSchema(schema: unknown, depth = 0): unknown {
  if (!isDocument(schema) || depth >= MAX_DEPTH) return schema;
  const { nullable, propertyOrdering: _order, example, ...rest } = camelFields(schema);
  const target: Record<string, unknown> = { ...rest };
  if (example !== undefined) target['examples'] = [example];
  for (const name of LENGTHS) if (typeof target[name] === 'string') target[name] = Number(target[name]);
  const { type } = rest;
  if (typeof type === 'string') target['type'] = openType(type, nullable === true);
  else if (nullable === true && Array.isArray(rest['anyOf'])) {
    target['anyOf'] = [...openAll(rest['anyOf'], depth), { type: 'null' }];
    return openInner(target, depth, false);
  }
  if (nullable === true && Array.isArray(rest['enum'])) target['enum'] = [...rest['enum'], null];
  return openInner(target, depth, true);
}

function openInner(target: Record<string, unknown>, depth: number, opensAlternatives: boolean): Document {
  if (isDocument(target['properties'])) {
    target['properties'] = Object.fromEntries(
      Object.entries(target['properties']).map(([name, value]) => [name, openSchema(value, depth + 1)]),
    );
  }
  if (isDocument(target['items'])) target['items'] = openSchema(target['items'], depth + 1);
  if (opensAlternatives && Array.isArray(target['anyOf'])) target['anyOf'] = openAll(target['anyOf'], depth);
  return target;
}

const openAll = (schemas: unknown, depth: number): unknown[] =>
  listOf(schemas).map((one) => openSchema(one, depth + 1));

function openType(type: string, isNullable: boolean): unknown {
  const open = type.toLowerCase();
  if (open === 'type_unspecified') return undefined;
  return isNullable && open !== 'null' ? [open, 'null'] : open;
}

/** 64-bit numbers are texts in this grammar. */
const LENGTHS = ['maxItems', 'minItems', 'maxLength', 'minLength', 'maxProperties', 'minProperties'] as const;
