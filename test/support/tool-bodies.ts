/** A request of each client API with one tool, `f`. @param api  id of its format */
export function toolBody(api: string, parameters: unknown, strict = false): Record<string, unknown> {
  const make = BODIES[api];
  if (make === undefined) throw new Error(`nobody wrote a request of ${api}`);
  return make(parameters, strict);
}

const BODIES: Readonly<Record<string, (parameters: unknown, strict: boolean) => Record<string, unknown>>> = {
  'openai-chat': (parameters, strict) => ({
    messages: [{ role: 'user', content: 'q' }],
    tools: [{ type: 'function', function: { name: 'f', parameters, ...(strict ? { strict } : {}) } }],
  }),
  'openai-responses': (parameters, strict) => ({
    input: 'q',
    tools: [{ type: 'function', name: 'f', parameters, strict }],
  }),
  'anthropic-messages': (parameters, strict) => ({
    messages: [{ role: 'user', content: 'q' }],
    tools: [{ name: 'f', input_schema: parameters, ...(strict ? { strict } : {}) }],
  }),
  'gemini-generate': (parametersJsonSchema) => ({
    contents: [{ role: 'user', parts: [{ text: 'q' }] }],
    tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema }] }],
  }),
};

/** The first schema of a tool's arguments in a body, and whether it is to be kept strictly. */
export function schemaIn(
  value: unknown,
): { readonly schema: Record<string, unknown>; readonly strict: boolean } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members = value as Record<string, unknown>;
  // Tencent takes it as a text.
  if (typeof members['Parameters'] === 'string')
    return { schema: JSON.parse(members['Parameters']) as Record<string, unknown>, strict: false };
  for (const name of ['parameters', 'input_schema', 'inputSchema', 'parametersJsonSchema']) {
    const found = members[name];
    if (typeof found !== 'object' || found === null) continue;
    const schema = 'json' in found ? found.json : found;
    return { schema: schema as Record<string, unknown>, strict: members['strict'] === true };
  }
  for (const inner of Object.values(members)) {
    const found = schemaIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
