import { SCAN_FLAGS } from '../../framing/scan-flags.js';
import { scanObject, type ScannedObject } from '../../framing/json-splice.js';
import { documentOf, given, listOf, textOf, type Document } from '../../formats/shared/fields/json-fields.js';
import type { ThoughtForm } from '../../model/vendor-description.js';
import { messageSpans } from './message-spans.js';

/** True when a chat's bytes may hold earlier thoughts as a member of a message, by the scan of the body. */
export const mayHoldThoughts = ({ scanFlags = SCAN_FLAGS.thoughts }: ScannedObject): boolean =>
  (scanFlags & (SCAN_FLAGS.thoughts | SCAN_FLAGS.escaped)) !== 0;

/** Thoughts as a part of content, in front of the text: `{type: 'thinking', thinking: [{type: 'text', text}]}`. */
export const thinkingPart = (text: string): Document => ({
  type: 'thinking',
  thinking: [{ type: 'text', text }],
  closed: true,
});

/**
 * A chat's body whose assistant turns have their thoughts in the form of the vendor; all other messages keep their bytes.
 * @param isClosed  members in which gateways keep signed thoughts are left out too
 */
export function writeThoughts(body: Buffer, form: ThoughtForm, isClosed: boolean): Buffer {
  const document = scanObject(body);
  const span = typeof document === 'string' ? undefined : document.members.get('messages');
  if (typeof document === 'string' || span === undefined) return body;
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end } of messageSpans(document.bytes, span)) {
    const bytes = document.bytes.subarray(start, end);
    if (!MEMBERS.some((member) => bytes.includes(member))) continue;
    const message = documentOf(JSON.parse(bytes.toString('utf8')) as unknown);
    const bare = withoutOtherForms(message, isClosed);
    const written = NAMES.some((name) => name in bare) ? withThoughts(bare, form) : bare;
    if (written === message) continue;
    parts.push(document.bytes.subarray(at, start), Buffer.from(JSON.stringify(written)));
    at = end;
  }
  return parts.length === 0 ? body : Buffer.concat([...parts, document.bytes.subarray(at)]);
}

const NAMES = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;
/** Other members for thoughts, LiteLLM's, and Google's signature beside a call. */
const OTHER_NAMES = ['thinking_blocks', 'provider_specific_fields'] as const;
const SIGNATURE = 'extra_content';
const MEMBERS = [...NAMES, ...OTHER_NAMES, SIGNATURE].map((name) => Buffer.from(`"${name}"`));

/** @returns the same message when it has none */
function withoutOtherForms(message: Document, isClosed: boolean): Document {
  const calls = listOf(message['tool_calls']).map(documentOf);
  const isSigned = calls.some((call) => SIGNATURE in call);
  const isOther = isClosed && OTHER_NAMES.some((name) => name in message);
  if (!isSigned && !isOther) return message;
  const { thinking_blocks: blocks, provider_specific_fields: fields, ...rest } = message;
  return {
    ...rest,
    ...(isOther ? {} : { ...given('thinking_blocks', blocks), ...given('provider_specific_fields', fields) }),
    ...(isSigned ? { tool_calls: calls.map(({ [SIGNATURE]: _signature, ...call }) => call) } : {}),
  };
}

function withThoughts(sent: Document, form: ThoughtForm): Document {
  const { reasoning_content: thoughts, reasoning, reasoning_details: _details, ...message } = sent;
  const text = textOf(thoughts) ?? textOf(reasoning);
  if (text === undefined || form === 'none' || message['role'] !== 'assistant') return message;
  if (form === 'reasoning') return text === '' ? message : { ...message, reasoning: text };
  const { content } = message;
  const said =
    typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : listOf(content);
  return { ...message, content: [thinkingPart(text), ...said] };
}
