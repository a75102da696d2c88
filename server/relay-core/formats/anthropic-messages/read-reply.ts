import { ok, type Result } from '../../../common/result.js';
import type { ChatReply } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { FinishReason } from '../../model/finish-reason.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { documentOf, listOf, textOf } from '../shared/fields/json-fields.js';
import { ANSWER_TOOL } from './answer-tool.js';
import { readStopReason } from './finish-reason.js';
import { withFoundPages } from './found-pages.js';
import { MESSAGES_FORMAT } from './id.js';
import { readBlocks } from './read-blocks.js';
import { readUsage } from './usage.js';
import { replyDocument } from '../shared/replies/reply-document.js';

const MALFORMED = refusal('other-kind', { wanted: 'a message' });

export const KNOWN_REPLY_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_sequence',
  'usage',
]);

/** Whole reply → neutral reply; missing members are tolerated. Fails: upstream-malformed. */
export function readMessagesReply(body: Buffer): Result<ChatReply, RelayError> {
  const read = replyDocument(body, MALFORMED, (reply) => Array.isArray(reply['content']));
  if (!read.ok) return read;
  const document = read.value;
  const raw = textOf(document['stop_reason']);
  const finish = raw === undefined ? undefined : readStopReason(raw, document['stop_sequence']);
  const usage = readUsage(document['usage']);
  const vendorOptions = keepUnknown(MESSAGES_FORMAT, document, KNOWN_REPLY_FIELDS);
  const content = withFoundPages(readBlocks(listOf(document['content']).map(documentOf)));
  return ok({
    id: textOf(document['id']) ?? '',
    servedModel: textOf(document['model']) ?? '',
    createdAtSeconds: undefined,
    choices: [answerOf(content, finish)],
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

/** An answer that came as the arguments of our own tool is the text the caller asked for. */
function answerOf(
  content: readonly ContentPart[],
  finish: FinishReason | undefined,
): { readonly content: readonly ContentPart[]; readonly finish: FinishReason | undefined } {
  const isAnswer = (part: ContentPart): boolean => part.type === 'tool-call' && part.name === ANSWER_TOOL;
  if (!content.some(isAnswer)) return { content, finish };
  const rest = content.filter((part) => part.type !== 'text');
  return {
    content: rest.map((part): ContentPart =>
      part.type === 'tool-call' && part.name === ANSWER_TOOL ? { type: 'text', text: part.json } : part,
    ),
    finish: finishOfAnswer(
      finish,
      rest.some((part) => part.type === 'tool-call' && part.name !== ANSWER_TOOL),
    ),
  };
}

/** The call of our own tool was the end of the answer, not a call the caller has to serve. */
export function finishOfAnswer(
  finish: FinishReason | undefined,
  hasOtherCalls: boolean,
): FinishReason | undefined {
  return finish?.unified === 'tool-calls' && !hasOtherCalls ? { unified: 'stop', raw: 'end_turn' } : finish;
}
