import { parseJson } from '../../../common/parse-json.js';
import { readField, type ScannedObject } from '../../framing/json-splice.js';
import { SCAN_FLAGS } from '../../framing/scan-flags.js';
import { mayHoldToolsItem } from '../../formats/shared/openai/additional-tools.js';
import { documentOf, listOf, textOf } from '../../formats/shared/fields/json-fields.js';
import type { ChatRequest } from '../../model/chat.js';
import type { Tool } from '../../model/tool.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import type { Warning } from '../../model/warning.js';
import { UNKNOWN_TOOL } from './fit-messages-tools.js';

const RESPONSES = 'openai-responses';
const OPENAI_FORMATS: ReadonlySet<string> = new Set([RESPONSES, 'openai-chat']);

/** Returns true for a vendor that has a list of allowed tools. A vendor without a description has all that its format has. */
export const knowsAllowedTools = (format: string, description: VendorDescription | undefined): boolean =>
  OPENAI_FORMATS.has(format) && (description === undefined || description.knowsAllowedTools === true);

/** Returns true for a body of the Responses API whose tools the vendor takes in another form only, or not at all. */
export function holdsOtherTools(
  document: ScannedObject,
  format: string,
  description: VendorDescription | undefined,
): boolean {
  const rules = format === RESPONSES ? description?.responsesTools : undefined;
  if (rules === undefined) return false;
  if (((document.scanFlags ?? 0) & SCAN_FLAGS.developer) !== 0 && mayHoldToolsItem(document.bytes))
    return true;
  if (!document.members.has('tools')) return false;
  return listOf(readField(document, 'tools')).some((tool) => {
    const type = textOf(documentOf(tool)['type']);
    return type !== undefined && type !== 'function' && !rules.types.has(type);
  });
}

/** Returns true for a body with a function whose name the vendor refuses, or keeps for a tool of its own: the answer has to get it back. */
export function holdsReservedNames(
  { bytes, members }: ScannedObject,
  description: VendorDescription | undefined,
): boolean {
  const { reservedToolNames: reserved, toolsBeginWithLetter } = description ?? {};
  const span = members.get('tools');
  if ((reserved === undefined && toolsBeginWithLetter !== true) || span === undefined) return false;
  const isRefused = (name: string): boolean =>
    reserved?.has(name) === true || (toolsBeginWithLetter === true && /^[^A-Za-z_]/.test(name));
  return listOf(parseJson(bytes.subarray(span.start, span.end))).some((one) => {
    const { type, name, function: inner } = documentOf(one);
    const isFunction = type === undefined || type === 'function' || type === 'custom';
    return isFunction && isRefused(textOf(documentOf(inner)['name']) ?? textOf(name) ?? '');
  });
}

/** A request without the tools that only OpenAI runs, for another vendor of the Responses API; tools that stand alone stay. */
export function withVendorsTools(
  request: ChatRequest,
  { responsesTools: rules }: VendorDescription,
  warnings: Warning[],
): ChatRequest {
  const { tools } = request;
  if (rules === undefined || tools === undefined) return request;
  const kept = tools.flatMap((tool) => vendorsTool(tool, rules.types));
  if (kept.length === tools.length || kept.length === 0)
    return kept.length === 0 ? request : { ...request, tools: kept };
  warnings.push({ setting: 'tools', reason: UNKNOWN_TOOL });
  return { ...request, tools: kept };
}

/** The tool as the vendor has it: its search goes by one of several names. */
function vendorsTool(tool: Tool, types: ReadonlySet<string>): readonly Tool[] {
  if (tool.type === 'vendor' && tool.apiFormat === RESPONSES)
    return types.has(textOf(documentOf(tool.value)['type']) ?? '') ? [tool] : [];
  if (tool.type !== 'web-search') return [tool];
  const { type = 'web_search', ...own } = { ...tool.vendorOptions?.[RESPONSES] };
  if (types.has(String(type))) return [tool];
  return types.has('web_search') ? [{ ...tool, vendorOptions: { [RESPONSES]: own } }] : [];
}
