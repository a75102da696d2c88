import { ok, type Result } from '../../../../common/result.js';
import type { ChatReply } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import { keepUnknown } from '../../../model/vendor-options.js';
import {
  documentOf,
  isDocument,
  listOf,
  textOf,
  type Document,
} from '../../../formats/shared/fields/json-fields.js';
import type { ParsedCall } from '../../../formats/contract/api-format.js';
import { readFinishReason } from './finish-reason.js';
import { OLLAMA_CHAT_FORMAT } from './id.js';
import { readUsage } from './usage.js';
import { replyDocument } from '../../../formats/shared/replies/reply-document.js';

const MALFORMED = refusal('other-kind', { wanted: 'a chat reply' });

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'created_at',
  'message',
  'done',
  'done_reason',
  'prompt_eval_count',
  'eval_count',
]);

/** Whole reply → neutral reply; missing members are tolerated. Fails: upstream-malformed. */
export function readOllamaReply(body: Buffer, call: ParsedCall<'chat'>): Result<ChatReply, RelayError> {
  const read = replyDocument(body, MALFORMED, (document) => isDocument(document['message']));
  if (!read.ok) return read;
  const document = read.value;
  const content = readContent(documentOf(document['message']), callsBefore(call));
  const hasCalls = content.some((part) => part.type === 'tool-call');
  const reason = textOf(document['done_reason']);
  const usage = readUsage(document);
  const vendorOptions = keepUnknown(OLLAMA_CHAT_FORMAT, document, KNOWN_FIELDS);
  return ok({
    id: '',
    servedModel: textOf(document['model']) ?? '',
    createdAtSeconds: readTime(document['created_at']),
    choices: [{ content, finish: reason === undefined ? undefined : readFinishReason(reason, hasCalls) }],
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

function readContent(message: Document, callsSoFar: number): readonly ContentPart[] {
  const content: ContentPart[] = [];
  const thinking = textOf(message['thinking']);
  if (thinking !== undefined) content.push({ type: 'reasoning', text: thinking });
  const text = textOf(message['content']);
  if (text !== undefined) content.push({ type: 'text', text });
  for (const [index, item] of listOf(message['tool_calls']).entries()) {
    content.push({ type: 'tool-call', ...readCall(documentOf(item), callsSoFar + index) });
  }
  return content;
}

/** Older servers give calls no id: they are numbered through the conversation, so that no two are alike. */
export function readCall(
  call: Document,
  number: number,
): { readonly callId: string; readonly name: string; readonly json: string } {
  const body = documentOf(call['function']);
  const input = body['arguments'];
  return {
    callId: textOf(call['id']) ?? `call_${number}`,
    name: textOf(body['name']) ?? '',
    json: isDocument(input) ? JSON.stringify(input) : (textOf(input) ?? '{}'),
  };
}

/** Tool calls the conversation holds already. */
export function callsBefore(call: ParsedCall<'chat'>): number {
  const request = call.neutral();
  if (!request.ok) return 0;
  let count = 0;
  for (const message of request.value.messages) {
    for (const part of message.content) if (part.type === 'tool-call') count += 1;
  }
  return count;
}

/** RFC 3339 with nanoseconds; undefined = not a time. */
export function readTime(value: unknown): number | undefined {
  const milliseconds = Date.parse(textOf(value) ?? '');
  return Number.isFinite(milliseconds) ? Math.floor(milliseconds / 1000) : undefined;
}
