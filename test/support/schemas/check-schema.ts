import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { list, object, text, type Json } from '../strict-vendors/story.js';

type Schemas = Readonly<Record<string, Json>>;

const read = (name: string): Schemas =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')) as Schemas;

/** Published schemas of the vendors' answers; cut by `cut-schemas.mjs`, which names the sources. */
export const PUBLISHED = {
  chat: read('openai-chat'),
  responses: read('openai-responses'),
  openResponses: read('open-responses'),
  messages: read('anthropic-messages'),
  /** Vectors, lists of models, failures, events of live sessions. */
  openaiOthers: read('openai-others'),
  anthropicOthers: read('anthropic-others'),
};

/** Published schemas of OpenAI's and Anthropic's requests; read at the first check. */
export const requestSchemas = {
  openai: lazily('openai-requests'),
  anthropic: lazily('anthropic-requests'),
};

function lazily(name: string): () => Schemas {
  let schemas: Schemas | undefined;
  return () => (schemas ??= read(name));
}

/** Faults of an answer against a published schema, each with its place; empty = it fits. */
export function faultsOf(schemas: Schemas, name: string, value: unknown): readonly string[] {
  return check({ schemas, isRequest: false }, schemas[name] ?? {}, value, name);
}

/**
 * Faults of a request, which may bear nothing that its vendor does not know. What documents call required is what answers always
 * have: vendors fill in what a request leaves out.
 */
export function requestFaultsOf(schemas: Schemas, name: string, value: unknown): readonly string[] {
  return check({ schemas, isRequest: true }, schemas[name] ?? {}, value, '');
}

interface Rules {
  readonly schemas: Schemas;
  readonly isRequest: boolean;
}

/** @param isPart  the schema is one of several that describe the value together */
function check(rules: Rules, schema: Json, value: unknown, place: string, isPart = false): readonly string[] {
  const reference = text(schema['$ref']);
  if (reference !== '') return check(rules, named(rules, reference), value, place, isPart);
  const faults: string[] = [];
  for (const part of list(schema['allOf'])) faults.push(...check(rules, part, value, place, true));
  for (const union of ['anyOf', 'oneOf']) {
    const options = list(schema[union]);
    if (options.length === 0) continue;
    const told = options.map((option) => check(rules, option, value, place));
    if (!told.some(({ length }) => length === 0)) faults.push(...nearest(rules, options, value, told, place));
  }
  faults.push(...checkValue(schema, value, place));
  if (Array.isArray(value) && schema['items'] !== undefined)
    for (const [index, item] of value.entries())
      faults.push(...check(rules, object(schema['items']), item, `${place}[${index}]`));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    faults.push(...checkMembers(rules, schema, object(value), place));
    if (rules.isRequest && !isPart) faults.push(...strangersIn(rules, schema, object(value), place));
  }
  return faults;
}

const named = ({ schemas }: Rules, reference: string): Json =>
  schemas[reference.split('/').at(-1) ?? ''] ?? {};

/** Unknown members. */
function strangersIn(rules: Rules, schema: Json, value: Json, place: string): readonly string[] {
  const known = knownMembers(rules, schema);
  if (known.size === 0) return [];
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .map((name) => `${at(place, name)} is not known`);
}

/** Names of the members a schema has, those of its parts among them; none = it takes any. */
function knownMembers(rules: Rules, schema: Json): ReadonlySet<string> {
  const reference = text(schema['$ref']);
  if (reference !== '') return knownMembers(rules, named(rules, reference));
  const more = schema['additionalProperties'];
  if (more === true || typeof more === 'object') return new Set();
  const parts = list(schema['allOf']).map((part) => knownMembers(rules, part));
  return new Set([...Object.keys(object(schema['properties'])), ...parts.flatMap((part) => [...part])]);
}

const at = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

/** The option of a union with the value's type describes the fault, else one that is wrong further inside. */
function nearest(
  rules: Rules,
  options: readonly Json[],
  value: unknown,
  told: readonly (readonly string[])[],
  place: string,
): readonly string[] {
  const { type } = object(value);
  const index = options.findIndex((option) => {
    const reference = text(option['$ref']);
    const schema = reference === '' ? option : named(rules, reference);
    const kind = object(object(schema['properties'])['type']);
    return (
      type !== undefined &&
      (kind['const'] === type || (kind['enum'] as unknown[] | undefined)?.includes(type))
    );
  });
  const inside = told.filter(([first]) => first?.startsWith(`${place}: `) === false);
  const shortest = (inside.length > 0 ? inside : told).toSorted((one, two) => one.length - two.length)[0];
  return told[index] ?? shortest ?? [];
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
  if (typeof value === 'number' && typeof schema['maximum'] === 'number' && value > schema['maximum'])
    return [`${place}: ${said} is too large`];
  if (typeof value === 'string') return checkWords(schema, value, `${place}: ${said}`);
  return [];
}

function checkWords({ minLength, maxLength, pattern }: Json, words: string, said: string): readonly string[] {
  if (typeof minLength === 'number' && words.length < minLength) return [`${said} is too short`];
  if (typeof maxLength === 'number' && words.length > maxLength) return [`${said} is too long`];
  if (typeof pattern === 'string' && !new RegExp(pattern).test(words))
    return [`${said} is not of ${pattern}`];
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

function checkMembers(rules: Rules, schema: Json, value: Json, place: string): readonly string[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const missing = rules.isRequest ? [] : required.filter((name) => !(name in value));
  const faults = missing.map((name) => `${at(place, name)} is missing`);
  const known = object(schema['properties']);
  for (const [name, member] of Object.entries(value)) {
    const inner = known[name];
    // Vendors write null for unset members.
    if (inner === undefined || (member === null && !required.includes(name))) continue;
    faults.push(...check(rules, object(inner), member, at(place, name)));
  }
  return faults;
}
