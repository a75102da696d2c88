import { isDocument, listOf, type Document } from './json-fields.js';

/** Forms of the root of a tool's schema beside a plain object with `type: "object"`. */
export const ROOT_FORMS = [
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'list of types',
  'no type',
  'not',
  'if, then, else',
  'enum, const',
  'dependentSchemas',
] as const;
export type RootForm = (typeof ROOT_FORMS)[number];

/** Which roots a vendor takes for a model. */
export interface ToolRoots {
  readonly takes: readonly RootForm[];
  /** The only members a root may have; absent = any. */
  readonly members?: readonly string[];
}

/** The roots that a format's models take: the first row that knows the model. */
export type FormatRoots = readonly ModelRoots[];
export interface ModelRoots {
  /** Absent = every other model. */
  readonly models?: { readonly name: string; knows(model: string): boolean };
  readonly roots: ToolRoots;
  /** Tools of callers of the same format are repaired too, although their bytes pass untouched otherwise. */
  readonly mendsOwnCallers?: true;
}

/** Objects and nothing else. */
export const PLAIN_ROOTS: ToolRoots = { takes: [] };

/**
 * Anthropic refuses "oneOf, allOf, or anyOf at the top level", a type other than `object` and references instead of one, and
 * no other keyword (https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes, read 2026-11-25).
 */
export const CLAUDE_ROOTS: ToolRoots = {
  takes: ['not', 'if, then, else', 'enum, const', 'dependentSchemas'],
};

/**
 * "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", answers OpenAI; compatible vendors
 * that hold arguments to a grammar refuse conditions as well. GPT-4 before GPT-4o refuses every call with such a tool, like
 * Grok ("tool parameter root must be an object type", https://github.com/lidge-jun/opencodex/issues/122) and DeepSeek ("schema must be a
 * JSON Schema of 'type: "object"'", https://github.com/farion1231/cc-switch/issues/5490; both read 2026-11-29).
 */
export const OPENAI_ROOTS: FormatRoots = [
  {
    models: { name: 'GPT-4 before GPT-4o', knows: (model) => /(?:^|\/)gpt-4(?:-|$)/.test(model) },
    roots: PLAIN_ROOTS,
    mendsOwnCallers: true,
  },
  {
    models: { name: 'Grok, DeepSeek', knows: (model) => /(?:^|\/)(?:grok|deepseek)-/i.test(model) },
    roots: PLAIN_ROOTS,
    mendsOwnCallers: true,
  },
  { roots: PLAIN_ROOTS },
];

export const rowFor = (format: FormatRoots, model: string): ModelRoots =>
  format.find(({ models }) => models?.knows(model) !== false) ?? { roots: PLAIN_ROOTS };

const FIELDS: ReadonlyMap<string, RootForm> = new Map<string, RootForm>([
  ['anyOf', 'anyOf'],
  ['oneOf', 'oneOf'],
  ['allOf', 'allOf'],
  ['$ref', '$ref'],
  ['not', 'not'],
  ['if', 'if, then, else'],
  ['then', 'if, then, else'],
  ['else', 'if, then, else'],
  ['enum', 'enum, const'],
  ['const', 'enum, const'],
  ['dependentSchemas', 'dependentSchemas'],
]);

/** The form a member of the root stands for; undefined = it is no form. */
export const formOfField = (name: string): RootForm | undefined => FIELDS.get(name);

/** Returns true when a vendor takes the root as it is. */
export function takesRoot({ takes, members }: ToolRoots, schema: Document): boolean {
  const { type } = schema;
  if (type === undefined ? !takes.includes('no type') : !takesType(takes, type)) return false;
  return Object.entries(schema).every(([name, value]) => {
    if (value === undefined) return true;
    const form = formOfField(name);
    return (form === undefined || takes.includes(form)) && members?.includes(name) !== false;
  });
}

const takesType = (takes: ToolRoots['takes'], type: unknown): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object') && takes.includes('list of types'));

/** A list of tools with `mend` done to each schema; the same list when none changed. */
export function mapToolSchemas(tools: unknown, mend: (schema: Document) => Document): unknown {
  let isMended = false;
  const mended = listOf(tools).map((tool) => {
    if (!isDocument(tool)) return tool;
    const inner = isDocument(tool['function']) ? tool['function'] : tool;
    const { parameters } = inner;
    if (!isDocument(parameters)) return tool;
    const written = mend(parameters);
    if (written === parameters) return tool;
    isMended = true;
    const named = { ...inner, parameters: written };
    return inner === tool ? named : { ...tool, function: named };
  });
  return isMended ? mended : tools;
}
