import { readField } from '../../framing/json-splice.js';
import type { FinishReason } from '../../model/finish-reason.js';
import { isAboutChannel, reasonIn, type RelayError } from '../../model/relay-error.js';
import type { Usage } from '../../model/usage.js';
import { documentOf, type Document } from '../shared/fields/json-fields.js';
import type { ParsedCall, ReplyContext } from '../contract/api-format.js';
import { writeStatus } from './finish-reason.js';
import { writeUsage } from './usage.js';

/** Members of a request that its response repeats, and what they are when it gave none. */
const REPEATED: Readonly<Record<string, unknown>> = {
  background: false,
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
};
/** Never repeated: the request may differ from the result. */
const OWN_VALUE: ReadonlySet<string> = new Set([
  'store',
  'service_tier',
  'background',
  'previous_response_id',
]);

/** Members of a response that repeat its request. */
export function repeatRequest(call: ParsedCall<'chat'>): Document {
  const repeated: Record<string, unknown> = { ...REPEATED };
  for (const name of Object.keys(REPEATED)) {
    if (OWN_VALUE.has(name) || !call.document.members.has(name)) continue;
    const value = readField(call.document, name);
    if (value !== null && value !== undefined) repeated[name] = value;
  }
  if (Array.isArray(repeated['tools'])) repeated['tools'] = repeated['tools'].map(withStrictness);
  const text = documentOf(repeated['text']);
  if (text['format'] === undefined) repeated['text'] = { format: { type: 'text' }, ...text };
  return repeated;
}

/** A function of the request as the vendor repeats it: recordings name `strict` always, as true where the request did not. */
function withStrictness(tool: unknown): unknown {
  const { type, strict } = documentOf(tool);
  return type === 'function' && strict == null ? { ...documentOf(tool), strict: true } : tool;
}

/** Texts that are the same in every event of a reply. */
export interface ResponseIdentity {
  readonly id: string;
  readonly createdAtSeconds: number;
  readonly model: string;
}

export function writeResponse(
  identity: ResponseIdentity,
  repeated: Document,
  state: {
    readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
    readonly reason?: string | undefined;
    readonly error?: { readonly code: string; readonly message: string };
    /** Null = what came is too much to be repeated; readers put the finished items together. */
    readonly output: readonly unknown[] | null;
    readonly usage?: Usage | undefined;
  },
): Document {
  return {
    id: identity.id,
    object: 'response',
    created_at: identity.createdAtSeconds,
    // When is not measured: the whole second it began in is what is known.
    completed_at: state.status === 'completed' ? identity.createdAtSeconds : null,
    status: state.status,
    error: state.error ?? null,
    incomplete_details: state.reason === undefined ? null : { reason: state.reason },
    model: identity.model,
    output: state.output,
    ...repeated,
    usage: state.usage === undefined ? null : writeUsage(state.usage),
  };
}

/** Status of a finished answer. */
export function finalState(finish: FinishReason | undefined): {
  readonly status: 'completed' | 'incomplete';
  readonly reason: string | undefined;
} {
  return writeStatus(finish);
}

export function responseId(id: string, context: ReplyContext): string {
  return id.startsWith('resp_') ? id : `resp_${plainId(context)}`;
}

/** Id of a piece of this reply; the same call gives the same ids. */
export const itemId = (kind: string, context: ReplyContext, index: number): string =>
  `${kind}_${plainId(context)}${String(index).padStart(4, '0')}`;

const plainId = (context: ReplyContext): string => context.callId.replaceAll('-', '');

/** The failure in this format's words. */
export function writeFailure(
  error: RelayError,
  callId: string,
): { readonly code: string; readonly message: string } {
  return { code: codeOf(error), message: `${error.message} (request id: ${callId})` };
}

function codeOf(error: RelayError): string {
  const reason = reasonIn(error);
  if (reason?.is === 'too-long') return 'context_length_exceeded';
  if (reason?.is === 'overloaded') return 'server_is_overloaded';
  if (error.blame === 'upstream' && !isAboutChannel(error) && OWN_CODE.test(error.vendorCode ?? ''))
    return error.vendorCode ?? '';
  switch (error.kind) {
    case 'rate-limited':
    case 'upstream-rate-limited':
      return 'rate_limit_exceeded';
    case 'invalid-request':
    case 'content-refused':
    case 'upstream-request-rejected':
      return 'invalid_prompt';
    default:
      return 'server_error';
  }
}

/** Codes of this API are lower snake case; another vendor's are not shown as one. */
const OWN_CODE = /^[a-z][a-z0-9_]{1,63}$/;
