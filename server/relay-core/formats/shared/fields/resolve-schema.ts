import { documentOf, isDocument, listOf, type Document } from './json-fields.js';

const MAX_DEPTH = 64;
/** Most schemas that references may unfold into: definitions that name each other grow by powers. */
const MAX_NODES = 5_000;

/** Resolves the references of one JSON schema; a definition inside itself stands as "anything". */
export class SchemaReferences {
  private nodes = 0;

  constructor(private readonly root: Document) {}

  get isExhausted(): boolean {
    return this.nodes > MAX_NODES;
  }

  /** The schema with what it refers to laid under it, and the references followed so far. */
  resolve(
    schema: Document,
    path: readonly string[],
  ): { readonly schema: Document; readonly path: readonly string[] } {
    this.nodes += 1;
    let found = schema;
    let followed = path;
    while (typeof found['$ref'] === 'string') {
      const { $ref, ...rest } = found as { readonly $ref: string } & Document;
      if (followed.includes($ref) || followed.length >= MAX_DEPTH || this.isExhausted) {
        return { schema: rest, path: followed };
      }
      followed = [...followed, $ref];
      found = { ...this.find($ref), ...rest };
    }
    return { schema: found, path: followed };
  }

  private find(reference: string): Document {
    if (!reference.startsWith('#')) return {};
    let at: unknown = this.root;
    for (const step of reference.slice(1).split('/')) {
      if (step === '') continue;
      const name = decodeStep(step);
      at = Array.isArray(at) ? at[Number(name)] : documentOf(at)[name];
    }
    return documentOf(at);
  }
}

function decodeStep(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    // A stray percent sign stands for itself.
    return plain;
  }
}

/** `allOf` as one schema: members of all, properties and required joined. */
export function mergeAllOf(schema: Document): Document {
  const all = listOf(schema['allOf']).filter(isDocument);
  if (all.length === 0) return schema;
  const { allOf: _allOf, ...rest } = schema;
  const merged: Record<string, unknown> = {};
  for (const part of [...all, rest]) {
    for (const [name, value] of Object.entries(part)) {
      const before = merged[name];
      if (name === 'properties' && isDocument(before)) merged[name] = { ...before, ...documentOf(value) };
      else if (name === 'required' && Array.isArray(before)) {
        merged[name] = [...new Set([...before, ...listOf(value)])];
      } else merged[name] = value;
    }
  }
  return merged;
}

/** Keywords that hold values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);
/** Keywords that hold schemas by free names. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/** A schema without references: what they name stands in their place, and a definition inside itself as "anything". */
export function inlineReferences(root: Document): Document {
  const references = new SchemaReferences(root);
  const inline = (value: unknown, path: readonly string[], depth: number): unknown => {
    if (Array.isArray(value)) return value.map((one) => inline(one, path, depth + 1));
    if (!isDocument(value)) return value;
    if (depth > MAX_DEPTH || references.isExhausted) return {};
    const { schema, path: followed } = references.resolve(value, path);
    const { $defs: _defs, definitions: _definitions, ...rest } = schema;
    return mapped(rest, (one, name) => {
      if (VALUES.has(name)) return one;
      if (!MAPS.has(name) || !isDocument(one)) return inline(one, followed, depth + 1);
      return mapped(one, (each) => inline(each, followed, depth + 1));
    });
  };
  return documentOf(inline(root, [], 0));
}

const mapped = (document: Document, change: (value: unknown, name: string) => unknown): Document =>
  Object.fromEntries(Object.entries(document).map(([name, value]) => [name, change(value, name)]));

/** A schema with each schema inside it, itself last, changed. */
export function mapSchemas(root: Document, change: (schema: Document) => Document): Document {
  const walk = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((one) => walk(one, depth + 1));
    if (!isDocument(value) || depth > MAX_DEPTH) return value;
    return change(
      mapped(value, (one, name) => {
        if (VALUES.has(name)) return one;
        if (!NAMED.has(name) || !isDocument(one)) return walk(one, depth + 1);
        return mapped(one, (each) => walk(each, depth + 1));
      }),
    );
  };
  return documentOf(walk(root, 0));
}
/** Keywords that hold schemas by free names, definitions as well. */
const NAMED: ReadonlySet<string> = new Set([...MAPS, '$defs', 'definitions']);
