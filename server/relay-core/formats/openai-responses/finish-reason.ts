import { closedFinish, type FinishReason } from '../../model/finish-reason.js';
import { documentOf, textOf, type Document } from '../shared/fields/json-fields.js';

/** Items that ask the client to act, in forms that no other API has. */
const CLIENT_ACTIONS: ReadonlySet<string> = new Set([
  'computer_call',
  'shell_call',
  'local_shell_call',
  'apply_patch_call',
  'mcp_approval_request',
]);
const SEARCH_OF_TOOLS = 'tool_search_call';

/** The type of an item that asks the client to act; undefined = it does not. */
export function clientActionOf(item: unknown): string | undefined {
  const { type: sent, execution } = documentOf(item);
  const type = textOf(sent);
  // The vendor runs some of these searches itself.
  if (type === SEARCH_OF_TOOLS) return execution === 'client' ? type : undefined;
  return type !== undefined && CLIENT_ACTIONS.has(type) ? type : undefined;
}

/**
 * End of a response, from its status and its calls.
 * @param action  type of an item that asks the client to act: clients of other APIs never see it, so for them the answer is not complete
 */
export function readFinishReason(response: Document, hasCalls: boolean, action?: string): FinishReason {
  const status = textOf(response['status']);
  if (status === 'incomplete') {
    const raw = textOf(documentOf(response['incomplete_details'])['reason']) ?? 'incomplete';
    if (raw === 'max_output_tokens') return { unified: 'length', raw };
    return { unified: raw === 'content_filter' ? 'content-filter' : 'other', raw };
  }
  if (status === 'failed' || status === 'cancelled') return { unified: 'error', raw: status };
  if (action !== undefined && !hasCalls) return { unified: 'other', raw: action };
  return { unified: hasCalls ? 'tool-calls' : 'stop', raw: status };
}

/** Status of a response and why it is not complete. */
export function writeStatus(finish: FinishReason | undefined): {
  readonly status: 'completed' | 'incomplete';
  readonly reason: string | undefined;
} {
  const isAction = finish?.raw === SEARCH_OF_TOOLS || CLIENT_ACTIONS.has(finish?.raw ?? '');
  const unified = finish === undefined || isAction ? undefined : closedFinish(finish);
  if (unified === 'length') return { status: 'incomplete', reason: 'max_output_tokens' };
  if (unified === 'content-filter') return { status: 'incomplete', reason: 'content_filter' };
  return { status: 'completed', reason: undefined };
}
