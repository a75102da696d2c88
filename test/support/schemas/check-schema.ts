import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { list, object, text, type Json } from '../strict-vendors/story.js';

type Schemas = Readonly<Record<string, Json>>;

const read = (name: string): Schemas =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')) as Schemas;

/** What the vendors publish of their answers; cut by `cut-schemas.mjs`, which names the sources. */
export const PUBLISHED = {
  chat: read('openai-chat'),
  responses: read('openai-responses'),
  openResponses: read('open-responses'),
  messages: read('anthropic-messages'),
  /** Vectors, lists of models, failures, events of live sessions. */
  openaiOthers: read('openai-others'),
  anthropicOthers: read('anthropic-others'),
};

/** Faults of a value against a published schema, each with its place; empty = it fits. */
export function faultsOf(schemas: Schemas, name: string, value: unknown): readonly string[] {
  return check(schemas, schemas[name] ?? {}, value, name);
}

function check(schemas: Schemas, schema: Json, value: unknown, place: string): readonly string[] {
  const reference = text(schema['$ref']);
  if (reference !== '') {
    const name = reference.split('/').at(-1) ?? '';
    return check(schemas, schemas[name] ?? {}, value, place);
  }
  const faults: string[] = [];
  for (const part of list(schema['allOf'])) faults.push(...check(schemas, part, value, place));
  for (const union of ['anyOf', 'oneOf']) {
    const options = list(schema[union]);
    if (options.length === 0) continue;
    const told = options.map((option) => check(schemas, option, value, place));
    if (!told.some(({ length }) => length === 0)) faults.push(...nearest(schemas, options, value, told));
  }
  faults.push(...checkValue(schema, value, place));
  if (Array.isArray(value) && schema['items'] !== undefined)
    for (const [at, item] of value.entries())
      faults.push(...check(schemas, object(schema['items']), item, `${place}[${at}]`));
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    faults.push(...checkMembers(schemas, schema, object(value), place));
  return faults;
}

/** Of the options of a union the one that bears the value's type tells what is wrong. */
function nearest(
  schemas: Schemas,
  options: readonly Json[],
  value: unknown,
  told: readonly (readonly string[])[],
): readonly string[] {
  const { type } = object(value);
  const at = options.findIndex((option) => {
    const named = schemas[text(option['$ref']).split('/').at(-1) ?? ''] ?? option;
    const kind = object(object(named['properties'])['type']);
    return (
      type !== undefined &&
      (kind['const'] === type || (kind['enum'] as unknown[] | undefined)?.includes(type))
    );
  });
  return told[at] ?? told.toSorted((first, second) => first.length - second.length)[0] ?? [];
}

function checkValue(schema: Json, value: unknown, place: string): readonly string[] {
  if (value === null && schema['nullable'] === true) return [];
  const said = JSON.stringify(value)?.slice(0, 80);
  const types = [schema['type']].flat().filter((type) => typeof type === 'string');
  if (types.length > 0 && !types.some((type) => isOf(type, value)))
    return [`${place}: ${said} is not ${types.join(' or ')}`];
  const words = schema['enum'];
  if (Array.isArray(words) && !words.includes(value)) return [`${place}: ${said} is none of ${words.join()}`];
  if (schema['const'] !== undefined && schema['const'] !== value)
    return [`${place}: ${said} is not ${JSON.stringify(schema['const'])}`];
  if (schema['format'] === 'unixtime' && !Number.isInteger(value))
    return [`${place}: ${said} is no whole second`];
  if (typeof value === 'number' && typeof schema['minimum'] === 'number' && value < schema['minimum'])
    return [`${place}: ${said} is too small`];
  return [];
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function checkMembers(schemas: Schemas, schema: Json, value: Json, place: string): readonly string[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const faults = required.filter((name) => !(name in value)).map((name) => `${place}.${name} is missing`);
  const known = object(schema['properties']);
  for (const [name, member] of Object.entries(value)) {
    const inner = known[name];
    // Vendors write null for what they do not tell.
    if (inner === undefined || (member === null && !required.includes(name))) continue;
    faults.push(...check(schemas, object(inner), member, `${place}.${name}`));
  }
  return faults;
}
