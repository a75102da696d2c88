import { list, object, refuse, text } from './story.js';

/**
 * OpenAI's rules for schemas it promises to keep: every object closed, every member required.
 * Fails: throws the vendor's own sentence.
 */
export function checkStrictSchema(schema: unknown, owner: string): void {
  const { type, properties, required, items, additionalProperties } = object(schema);
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
