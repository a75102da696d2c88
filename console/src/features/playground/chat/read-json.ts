import { isRecord } from '../../../shared/format/json';

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** Fault of a JSON text in the settings. */
export type JsonFault = 'json' | 'list' | 'name' | 'schema';

type Read<T> =
  | { readonly value: T; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: JsonFault };

/** Name of a function by OpenAI's rule: https://platform.openai.com/docs/api-reference/chat/create (read 2026-11-29). */
const TOOL_NAME = /^[\w-]{1,64}$/;

function parse(text: string): Read<unknown> {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: 'json' };
  }
}

/** Functions of a JSON text, plain or in OpenAI's wrapping `{ type: 'function', function }`. An empty text has none. */
export function readTools(text: string): Read<readonly ToolDefinition[]> {
  if (text.trim() === '') return { value: [] };
  const parsed = parse(text);
  if (parsed.fault !== undefined) return { fault: parsed.fault };
  const listed: unknown[] | undefined = Array.isArray(parsed.value)
    ? (parsed.value as unknown[])
    : isRecord(parsed.value)
      ? [parsed.value]
      : undefined;
  if (listed === undefined) return { fault: 'list' };
  const tools: ToolDefinition[] = [];
  for (const each of listed) {
    const own = isRecord(each) && isRecord(each['function']) ? each['function'] : each;
    if (!isRecord(own)) return { fault: 'list' };
    const { name, description, parameters } = own;
    if (typeof name !== 'string' || !TOOL_NAME.test(name)) return { fault: 'name' };
    if (parameters !== undefined && !isRecord(parameters)) return { fault: 'schema' };
    tools.push({
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(parameters === undefined ? {} : { parameters }),
    });
  }
  return { value: tools };
}

/** JSON schema of an answer; an empty text is none. */
export function readSchema(text: string): Read<Readonly<Record<string, unknown>> | undefined> {
  if (text.trim() === '') return { value: undefined };
  const parsed = parse(text);
  if (parsed.fault !== undefined) return { fault: parsed.fault };
  return isRecord(parsed.value) ? { value: parsed.value } : { fault: 'schema' };
}
