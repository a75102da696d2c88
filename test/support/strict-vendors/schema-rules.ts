import { requestFaultsOf } from '../schemas/check-schema.js';
import { list, object, refuse, text } from './story.js';

/** Fails: throws a refusal of what the vendor's published document does not have. */
export function checkPublished(...asked: Parameters<typeof requestFaultsOf>): void {
  const [fault] = requestFaultsOf(...asked);
  if (fault !== undefined) refuse(fault);
}

/** Structured outputs (https://platform.openai.com/docs/guides/structured-outputs, read 2026-11-26). */
const STRICT_FORMATS = new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '));

/**
 * OpenAI's rules for schemas it promises to keep: every object closed, every member required.
 * Fails: throws the vendor's own sentence.
 */
export function checkStrictSchema(schema: unknown, owner: string): void {
  const { type, properties, required, items, additionalProperties, format } = object(schema);
  if (format !== undefined && !STRICT_FORMATS.has(text(format)))
    refuse(`Invalid schema for ${owner}: In context=(), '${text(format)}' is not a valid format.`);
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (isObject) {
    const names = Object.keys(object(properties));
    if (additionalProperties !== false)
      refuse(
        `Invalid schema for ${owner}: In context=(), 'additionalProperties' is required to be supplied and to be false.`,
      );
    const missed = names.filter((name) => !(Array.isArray(required) && required.includes(name)));
    if (missed.length > 0)
      refuse(
        `Invalid schema for ${owner}: In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing '${missed.join()}'.`,
      );
  }
  for (const part of Object.values(object(properties))) checkStrictSchema(part, owner);
  if (items !== undefined) checkStrictSchema(items, owner);
}

const CLAUDE_LIMITS =
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength maxItems'.split(' ');

/**
 * Claude's decoder (https://platform.claude.com/docs/en/build-with-claude/structured-outputs, read 2026-11-26).
 * Fails: throws the vendor's own sentence.
 */
export function checkClaudeSchema(schema: unknown, owner: string): void {
  const form = object(schema);
  const type = text(form['type']);
  if (type === 'object' && form['additionalProperties'] !== false)
    refuse(`${owner}: For 'object' type, 'additionalProperties' must be explicitly set to false`);
  for (const name of CLAUDE_LIMITS)
    if (form[name] !== undefined) refuse(`${owner}: For '${type}' type, property '${name}' is not supported`);
  if (Number(form['minItems'] ?? 0) > 1)
    refuse(`${owner}: For 'array' type, 'minItems' values other than 0 or 1 are not supported`);
  for (const part of Object.values(object(form['properties']))) checkClaudeSchema(part, owner);
  for (const part of list(form['anyOf'])) checkClaudeSchema(part, owner);
  if (form['items'] !== undefined) checkClaudeSchema(form['items'], owner);
}

const GOOGLE_MEMBERS = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'maxItems',
  'minItems',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'example',
  'anyOf',
  'propertyOrdering',
  'default',
  'items',
  'minimum',
  'maximum',
]);
const GOOGLE_TYPES = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']);

/** Google's own `Schema` message: a part of OpenAPI's, and nothing else. Fails: throws the vendor's own sentence. */
export function checkGoogleSchema(schema: unknown, place: string): void {
  const form = object(schema);
  for (const name of Object.keys(form))
    if (!GOOGLE_MEMBERS.has(name))
      refuse(`Invalid JSON payload received. Unknown name "${name}" at '${place}': Cannot find field.`);
  if (form['type'] !== undefined && !GOOGLE_TYPES.has(text(form['type']).toUpperCase()))
    refuse(
      `Invalid value at '${place}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), ${JSON.stringify(form['type'])}`,
    );
  if (form['enum'] !== undefined && text(form['type']).toUpperCase() !== 'STRING')
    refuse(`${place}.enum: only allowed for STRING type`);
  if (text(form['type']).toUpperCase() === 'ARRAY' && form['items'] === undefined)
    refuse(`${place}.items: missing field.`);
  for (const [name, part] of Object.entries(object(form['properties'])))
    checkGoogleSchema(part, `${place}.properties[${name}]`);
  if (form['items'] !== undefined) checkGoogleSchema(form['items'], `${place}.items`);
  for (const part of list(form['anyOf'])) checkGoogleSchema(part, `${place}.any_of`);
}
