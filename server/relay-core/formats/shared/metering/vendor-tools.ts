import { readField, type ScannedObject } from '../../../framing/json-splice.js';
import type { VendorTool } from '../../../model/call.js';
import { documentOf, isDocument, listOf, numberOf, textOf, type Document } from '../fields/json-fields.js';

/** Words at least one of which stands in every list that offers a tool the vendor runs and charges for. */
const MARKS = [
  'web_search',
  'file_search',
  'code_interpreter',
  'code_execution',
  'image_generation',
  'oogle',
].map((word) => Buffer.from(word));
/** A longer list is no list of tools made by hand; entries behind its end are charged, but not held. */
const MAX_TOOLS = 512;

const RESPONSES_TOOLS: readonly (readonly [prefix: string, tool: VendorTool])[] = [
  ['web_search_preview', { name: 'web-search', priceKey: 'web_search_preview' }],
  ['web_search', { name: 'web-search' }],
  ['file_search', { name: 'file-search' }],
  ['code_interpreter', { name: 'code-execution' }],
  // One image comes of it, seldom two.
  ['image_generation', { name: 'image-generation', mostUses: 2 }],
];
const MESSAGES_TOOLS: readonly (readonly [prefix: string, tool: VendorTool])[] = [
  ['web_search_', { name: 'web-search' }],
  ['web_fetch_', { name: 'web-fetch' }],
  ['code_execution_', { name: 'code-execution' }],
];
/** A search of Google's is paid once per answer. */
const GOOGLE_SEARCH: VendorTool = { name: 'web-search', priceKey: 'google_search', mostUses: 1 };
const GOOGLE_NAMES = ['googleSearch', 'google_search', 'googleSearchRetrieval', 'google_search_retrieval'];

type Found = { readonly vendorTools?: readonly VendorTool[] };

const NONE: Found = {};

/** Tools of OpenAI's Responses grammar: `type` names them, `max_tool_calls` limits all of them. */
export const responsesTools = (document: ScannedObject, mostUses: number | undefined): Found =>
  found(document, (tool) => {
    const known = byType(tool, RESPONSES_TOOLS);
    if (known === undefined) return undefined;
    const limit = known.mostUses ?? mostUses;
    return { ...known, ...(limit === undefined ? {} : { mostUses: limit }), ...sizeOf(tool) };
  });

/** Server tools of Anthropic's Messages: dated types, each with a limit of its own. */
export const messagesTools = (document: ScannedObject): Found =>
  found(document, (tool) => {
    const known = byType(tool, MESSAGES_TOOLS);
    const limit = numberOf(tool['max_uses']);
    return known === undefined
      ? undefined
      : { ...known, ...(limit === undefined ? {} : { mostUses: limit }) };
  });

/** Google's own tools: a member of a tool, not a type. */
export const geminiTools = (document: ScannedObject): Found =>
  found(document, (tool) =>
    GOOGLE_NAMES.some((name) => isDocument(tool[name])) ? GOOGLE_SEARCH : undefined,
  );

/** OpenAI's chat completions search when they are given `web_search_options`, once per answer. */
export function chatTools(document: ScannedObject): Found {
  if (!document.members.has('web_search_options')) return NONE;
  const options = readField(document, 'web_search_options');
  return isDocument(options)
    ? { vendorTools: [{ name: 'web-search', mostUses: 1, ...sizeOf(options) }] }
    : NONE;
}

/** Reads the list only when one of the marks stands in it: most lists are the caller's own functions, and long. */
function found(document: ScannedObject, read: (tool: Document) => VendorTool | undefined): Found {
  const span = document.members.get('tools');
  if (span === undefined) return NONE;
  const bytes = document.bytes.subarray(span.start, span.end);
  if (!MARKS.some((mark) => bytes.includes(mark))) return NONE;
  const tools = new Map<string, VendorTool>();
  for (const entry of listOf(readField(document, 'tools')).slice(0, MAX_TOOLS)) {
    const tool = read(documentOf(entry));
    if (tool !== undefined && !tools.has(tool.name)) tools.set(tool.name, tool);
  }
  return tools.size === 0 ? NONE : { vendorTools: [...tools.values()] };
}

function byType(
  tool: Document,
  known: readonly (readonly [prefix: string, tool: VendorTool])[],
): VendorTool | undefined {
  const type = textOf(tool['type']);
  return type === undefined ? undefined : known.find(([prefix]) => type.startsWith(prefix))?.[1];
}

function sizeOf(options: Document): Pick<VendorTool, 'contextSize'> {
  const size = options['search_context_size'];
  return size === 'low' || size === 'medium' || size === 'high' ? { contextSize: size } : {};
}
