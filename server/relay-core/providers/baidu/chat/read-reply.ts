import { fail, ok, type Result } from '../../../../common/result.js';
import type { ChatReply } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import { readCounts } from '../../../formats/shared/metering/counted-usage.js';
import {
  type Document,
  documentOf,
  isDocument,
  parseDocument,
  textOf,
  wholeSecondsOf,
} from '../../../formats/shared/fields/json-fields.js';
import { readEnd } from './finish-reason.js';

/** Whole reply → neutral reply. Fails: upstream-malformed. */
export function readBaiduReply(body: Buffer): Result<ChatReply, RelayError> {
  const document = parseDocument(body.toString('utf8'));
  if (
    document === undefined ||
    (document['result'] === undefined && !isDocument(document['function_call']))
  ) {
    return fail(refusal('other-kind', { wanted: 'a chat reply' }));
  }
  const usage = readCounts(document['usage'], 'prompt_tokens', 'completion_tokens');
  return ok({
    id: textOf(document['id']) ?? '',
    servedModel: '',
    createdAtSeconds: wholeSecondsOf(document['created']),
    choices: [{ content: readContent(document), finish: readEnd(document, true) }],
    usage: usage === 'invalid' ? undefined : usage,
  });
}

function readContent(document: Document): readonly ContentPart[] {
  const content: ContentPart[] = [];
  const call = documentOf(document['function_call']);
  const thoughts = textOf(call['thoughts']);
  if (thoughts !== undefined) content.push({ type: 'reasoning', text: thoughts });
  const text = textOf(document['result']);
  if (text !== undefined) content.push({ type: 'text', text });
  const name = textOf(call['name']);
  if (name !== undefined)
    content.push({ type: 'tool-call', callId: CALL_ID, name, json: readArguments(call['arguments']) });
  return content;
}

/** The vendor calls one tool at a time, and without an id. */
export const CALL_ID = 'call_0';

export function readArguments(value: unknown): string {
  if (isDocument(value)) return JSON.stringify(value);
  return textOf(value) ?? '{}';
}
