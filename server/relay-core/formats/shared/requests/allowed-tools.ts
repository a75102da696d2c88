import type { ChatRequest } from '../../../model/chat.js';
import type { Tool, ToolChoice } from '../../../model/tool.js';
import { documentOf, listOf, textOf } from '../fields/json-fields.js';

/** Formats that have a list of allowed tools, in one of two forms which their writers know. */
const OPENAI_FORMATS: readonly string[] = ['openai-chat', 'openai-responses'];
const GEMINI_FORMAT = 'gemini-generate';

interface AllowedTools {
  readonly names: ReadonlySet<string>;
  readonly hasSearch: boolean;
  readonly choice: ToolChoice;
}

/**
 * A request whose caller limits which of its tools may be called, for a format that has no word for that: the others are left out, and
 * that one must be called stays. A limit that names none of the tools stays as it is.
 * OpenAI https://platform.openai.com/docs/api-reference/chat/create#chat_create-tool_choice, Google
 * https://ai.google.dev/api/caching#FunctionCallingConfig (read 2026-11-28).
 * @param isKnown  the vendor has such a list in OpenAI's form
 */
export function withAllowedTools<Request extends ChatRequest>(
  request: Request,
  apiFormat: string,
  isKnown = OPENAI_FORMATS.includes(apiFormat),
): Request {
  const allowed = (isKnown ? undefined : readOpenai(request)) ?? readGemini(request, apiFormat);
  if (allowed === undefined) return request;
  const tools = request.tools?.filter((tool) => isAllowed(tool, allowed));
  if (tools?.some(({ type }) => type === 'function') !== true) return request;
  return { ...request, tools, toolChoice: allowed.choice, ...withoutGeminiList(request) };
}

function isAllowed(tool: Tool, { names, hasSearch }: AllowedTools): boolean {
  if (tool.type === 'function') return names.has(tool.name);
  return tool.type === 'web-search' && hasSearch;
}

function readOpenai({ toolChoice }: ChatRequest): AllowedTools | undefined {
  if (toolChoice?.type !== 'vendor') return undefined;
  const value = documentOf(toolChoice.value);
  if (value['type'] !== 'allowed_tools') return undefined;
  const list = value['tools'] === undefined ? documentOf(value['allowed_tools']) : value;
  const entries = listOf(list['tools']).map(documentOf);
  return {
    names: new Set(
      entries.flatMap((entry) => {
        const named = documentOf(entry['function'] ?? entry['custom'] ?? entry);
        return textOf(named['name']) ?? [];
      }),
    ),
    hasSearch: entries.some((entry) => textOf(entry['type'])?.startsWith('web_search') === true),
    choice: { type: list['mode'] === 'required' ? 'required' : 'auto' },
  };
}

function readGemini({ toolChoice, vendorOptions }: ChatRequest, apiFormat: string): AllowedTools | undefined {
  if (apiFormat === GEMINI_FORMAT || toolChoice?.type !== 'required') return undefined;
  const config = documentOf(vendorOptions?.[GEMINI_FORMAT]?.['toolConfig']);
  const names = listOf(documentOf(config['functionCallingConfig'])['allowedFunctionNames']);
  if (names.length === 0) return undefined;
  return {
    names: new Set(names.filter((name) => typeof name === 'string')),
    hasSearch: true,
    choice: toolChoice,
  };
}

/** Without the list that was obeyed: it is not lost. */
function withoutGeminiList({ vendorOptions }: ChatRequest): Pick<ChatRequest, 'vendorOptions'> {
  const own = vendorOptions?.[GEMINI_FORMAT];
  if (own === undefined) return {};
  const { toolConfig, ...others } = own;
  const { functionCallingConfig: _obeyed, ...rest } = documentOf(toolConfig);
  const kept = Object.keys(rest).length === 0 ? others : { ...others, toolConfig: rest };
  return { vendorOptions: { ...vendorOptions, [GEMINI_FORMAT]: kept } };
}
