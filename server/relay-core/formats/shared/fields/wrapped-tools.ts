import type { ChatReply, ChatRequest, Message } from '../../../model/chat.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import { isDocument, listOf, type Document } from './json-fields.js';
import { SchemaReferences } from './resolve-schema.js';
import { isTooDeep } from './tool-arguments.js';
import { parseJson } from '../../../../common/parse-json.js';

/** The member that holds what a tool takes whose schema is no object: vendors take arguments in objects only. */
const FIELD = 'value';
const MAX_DEPTH = 16;
const DEFINITIONS = ['$defs', 'definitions'] as const;
/** Keywords of objects: a schema without a type that has one of them takes objects. */
const OF_OBJECTS = ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'];

/** Returns true when a tool cannot take an object: its root is a list, a text, a number or a flag. */
export function takesNoObject(parameters: unknown): boolean {
  return isDocument(parameters) && excludesObjects(parameters, new SchemaReferences(parameters), [], 0);
}

function excludesObjects(
  sent: Document,
  references: SchemaReferences,
  path: readonly string[],
  depth: number,
): boolean {
  if (depth > MAX_DEPTH || references.isExhausted) return false;
  const { schema, path: followed } = references.resolve(sent, path);
  const inside = (one: Document): boolean => excludesObjects(one, references, followed, depth + 1);
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  // A schema of nothing but null takes nothing: it is one without arguments.
  if (schema['type'] !== undefined) return !types.includes('object') && types.some((type) => type !== 'null');
  if (Array.isArray(schema['enum'])) return !schema['enum'].some(isDocument);
  if (schema['const'] !== undefined && schema['const'] !== null) return !isDocument(schema['const']);
  if (OF_OBJECTS.some((name) => schema[name] !== undefined)) return false;
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return true;
  const all = listOf(schema['allOf']).filter(isDocument);
  if (all.some(inside)) return true;
  const branches = listOf(schema['anyOf'] ?? schema['oneOf']).filter(isDocument);
  return branches.length > 0 && branches.every(inside);
}

/** Such a schema as the one member of an object; what it refers to inside itself is found again. */
export function wrapParameters(parameters: Document): Document {
  const inner: Record<string, unknown> = { ...(moved(parameters, 0) as Document) };
  const outer: Record<string, unknown> = { type: 'object' };
  for (const name of DEFINITIONS) {
    if (inner[name] === undefined) continue;
    outer[name] = inner[name];
    delete inner[name];
  }
  delete inner['$schema'];
  return { ...outer, properties: { [FIELD]: inner }, required: [FIELD] };
}

function moved(value: unknown, depth: number): unknown {
  if (depth > 4 * MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => moved(one, depth + 1));
  if (!isDocument(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? movedReference(member) : moved(member, depth + 1),
    ]),
  );
}

const movedReference = (reference: string): string =>
  reference.startsWith('#') && !DEFINITIONS.some((name) => reference.startsWith(`#/${name}/`))
    ? `#/properties/${FIELD}${reference.slice(1)}`
    : reference;

/** Tools whose schema is no object, by name; undefined = there are none. */
export function wrappedTools({ tools = [] }: Pick<ChatRequest, 'tools'>): ReadonlySet<string> | undefined {
  const names = tools.flatMap((tool) =>
    tool.type === 'function' && takesNoObject(tool.parameters) ? [tool.name] : [],
  );
  return names.length === 0 ? undefined : new Set(names);
}

/** A conversation in which such tools take an object, in their schemas and in the calls that were made. */
export function withWrappedTools(request: ChatRequest, names: ReadonlySet<string>): ChatRequest {
  return {
    ...request,
    tools: (request.tools ?? []).map((tool) =>
      tool.type === 'function' && names.has(tool.name)
        ? { ...tool, parameters: wrapParameters(tool.parameters as Document) }
        : tool,
    ),
    messages: request.messages.map((message) => withWrappedCalls(message, names)),
  };
}

function withWrappedCalls(message: Message, names: ReadonlySet<string>): Message {
  const isWrapped = message.content.some((part) => part.type === 'tool-call' && names.has(part.name));
  if (!isWrapped) return message;
  const content = message.content.map((part) =>
    part.type === 'tool-call' && names.has(part.name) && !isObject(part.json)
      ? { ...part, json: `{${JSON.stringify(FIELD)}:${part.json}}` }
      : part,
  );
  return { ...message, content };
}

/** Arguments that came in an object are in the wrapped form already; none at all are none. */
const isObject = (json: string): boolean => json.trim() === '' || json.trimStart().startsWith('{');

/** Arguments as the caller's schema has them. What is not in the wrapped form stays as the model wrote it. */
function unwrapArguments(json: string): string {
  const found = WRAPPED.exec(json);
  const inside = found?.[1];
  if (inside === undefined || isTooDeep(json) || parseJson(json) === undefined) return json;
  // More than one member: the text in between is no value by itself.
  return parseJson(inside) === undefined ? json : inside;
}

const WRAPPED = new RegExp(`^\\s*\\{\\s*"${FIELD}"\\s*:([\\s\\S]*)\\}\\s*$`);

/** A whole answer with the arguments of such tools taken out of their objects. */
export function withUnwrappedCalls(reply: ChatReply, names: ReadonlySet<string>): ChatReply {
  const choices = reply.choices.map((choice) => ({
    ...choice,
    content: choice.content.map((part) =>
      part.type === 'tool-call' && names.has(part.name)
        ? { ...part, json: unwrapArguments(part.json) }
        : part,
    ),
  }));
  return { ...reply, choices };
}

/** The same for a stream: the arguments of such a call come in one piece, when they are whole. */
export function unwrapAdapter(names: ReadonlySet<string>): (event: StreamEvent) => readonly StreamEvent[] {
  const open = new Map<number, { json: string; readonly choice: number | undefined }>();
  const close = (block: number): readonly StreamEvent[] => {
    const call = open.get(block);
    if (call === undefined) return [];
    open.delete(block);
    if (call.json === '') return [];
    const choice = call.choice === undefined ? {} : { choice: call.choice };
    return [{ type: 'tool-input-delta', block, ...choice, json: unwrapArguments(call.json) }];
  };
  return (event) => {
    switch (event.type) {
      case 'tool-input-start':
        if (names.has(event.name)) open.set(event.block, { json: '', choice: event.choice });
        return [event];
      case 'tool-input-delta': {
        const call = open.get(event.block);
        if (call === undefined) return [event];
        call.json += event.json;
        return [];
      }
      case 'block-end':
        return [...close(event.block), event];
      case 'choice-end':
      case 'reply-end':
      case 'reply-error':
        return [...[...open.keys()].flatMap(close), event];
      default:
        return [event];
    }
  };
}
