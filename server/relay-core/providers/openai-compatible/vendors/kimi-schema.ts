import { isDocument, listOf, type Document } from '../../../formats/shared/fields/json-fields.js';
import { inlineReferences, mapSchemas } from '../../../formats/shared/fields/resolve-schema.js';

const REFERENCE = '"$ref"';

/**
 * A schema of a tool without the forms that Moonshot refuses ("not a valid moonshot flavored json schema"): references, a `type` beside
 * `anyOf`, and tuples. Public threads: https://github.com/anomalyco/opencode/issues/39995, https://github.com/MoonshotAI/kimi-cli/issues/2531,
 * https://github.com/router-for-me/CLIProxyAPI/issues/5316 (read 2026-11-30).
 */
export function kimiSchema(schema: Document): Document {
  const inlined = JSON.stringify(schema).includes(REFERENCE) ? inlineReferences(schema) : schema;
  return mapSchemas(inlined, (one) => withoutTuple(withTypesInside(one)));
}

function withTypesInside(schema: Document): Document {
  const { type, ...rest } = schema;
  const choices = listOf(schema['anyOf']);
  if (type === undefined || choices.length === 0) return schema;
  return {
    ...rest,
    anyOf: choices.map((choice) =>
      isDocument(choice) && choice['type'] === undefined ? { type, ...choice } : choice,
    ),
  };
}

/** The places of a tuple are places of a list. */
function withoutTuple(schema: Document): Document {
  const { items } = schema;
  if (!Array.isArray(items)) return schema;
  const [only] = items as readonly unknown[];
  return { ...schema, items: items.length > 1 ? { anyOf: items as unknown[] } : (only ?? {}) };
}
