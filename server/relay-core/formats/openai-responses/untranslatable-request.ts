import type { RelayError } from '../../model/relay-error.js';
import { documentOf, isDocument, listOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { requestRefusal } from '../../model/refusals.js';

/** Members that lean on something the vendor stored, or ask it to store: no other format has it. */
const STATEFUL_FIELDS: readonly string[] = [
  'previous_response_id',
  'conversation',
  'prompt',
  'context_management',
];
/** Items that stand for what only the vendor holds, or answer what only its tools asked. */
const BOUND_ITEMS: ReadonlySet<string> = new Set([
  'item_reference',
  'compaction',
  'compaction_trigger',
  'computer_call_output',
  'mcp_approval_response',
  'local_shell_call_output',
  'shell_call_output',
  'apply_patch_call_output',
  'tool_search_output',
  'program_output',
  'additional_tools',
  'configuration_update',
]);
/** Tools another format can express. */
const PORTABLE_TOOLS: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'web_search',
  'web_search_preview',
  'web_search_2025_08_26',
  'web_search_preview_2025_03_11',
  'namespace',
]);

/** Why a request can be answered by a vendor of this format only; undefined = it can be translated. */
export function findUntranslatable(body: unknown): RelayError | undefined {
  const document = documentOf(body);
  for (const name of STATEFUL_FIELDS) {
    const value = document[name];
    if (value === null || value === undefined) continue;
    return requestRefusal(
      `'${name}' leans on what the vendor stores, and the upstream of this model does not speak the Responses API. Send the whole conversation as 'input' instead.`,
      name,
    );
  }
  for (const [index, item] of listOf(document['input']).entries()) {
    const type = textOf(documentOf(item)['type']);
    if (type === undefined || !BOUND_ITEMS.has(type)) continue;
    return requestRefusal(
      `The upstream of this model does not speak the Responses API, and items of type '${type}' cannot be translated for it.`,
      `input.${index}`,
    );
  }
  return findBoundTool(document);
}

function findBoundTool(document: Document): RelayError | undefined {
  for (const [index, tool] of listOf(document['tools']).entries()) {
    const type = isDocument(tool) ? textOf(tool['type']) : undefined;
    if (type === undefined || PORTABLE_TOOLS.has(type)) continue;
    return requestRefusal(
      `The upstream of this model does not speak the Responses API, and tools of type '${type}' cannot be translated for it.`,
      `tools.${index}`,
    );
  }
  return undefined;
}
