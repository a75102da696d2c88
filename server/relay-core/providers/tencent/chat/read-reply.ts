import { fail, ok, type Result } from '../../../../common/result.js';
import type { ChatReply } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import {
  type Document,
  documentOf,
  isDocument,
  listOf,
  parseDocument,
  textOf,
  wholeSecondsOf,
} from '../../../formats/shared/fields/json-fields.js';
import { readFinishReason } from '../../../formats/shared/openai/openai-finish-reason.js';
import { readUsage } from './usage.js';

/** Whole reply, in its envelope → neutral reply. Fails: upstream-malformed. */
export function readTencentReply(body: Buffer): Result<ChatReply, RelayError> {
  const outer = documentOf(parseDocument(body.toString('utf8')));
  const document = isDocument(outer['Response']) ? outer['Response'] : outer;
  if (!Array.isArray(document['Choices'])) {
    return fail(refusal('other-kind', { wanted: 'a chat reply' }));
  }
  const usage = readUsage(document['Usage']);
  return ok({
    id: textOf(document['Id']) ?? '',
    servedModel: '',
    createdAtSeconds: wholeSecondsOf(document['Created']),
    choices: listOf(document['Choices']).map((item) => {
      const choice = documentOf(item);
      const content = readContent(documentOf(choice['Message']));
      const reason = textOf(choice['FinishReason']);
      const hasCalls = content.some(({ type }) => type === 'tool-call');
      return { content, finish: reason === undefined ? undefined : readFinishReason(reason, hasCalls) };
    }),
    usage: usage === 'invalid' ? undefined : usage,
  });
}

function readContent(message: Document): readonly ContentPart[] {
  const content: ContentPart[] = [];
  const thoughts = textOf(message['ReasoningContent']);
  if (thoughts !== undefined) content.push({ type: 'reasoning', text: thoughts });
  const text = textOf(message['Content']);
  if (text !== undefined) content.push({ type: 'text', text });
  for (const item of listOf(message['ToolCalls'])) {
    const call = documentOf(item);
    const made = documentOf(call['Function']);
    content.push({
      type: 'tool-call',
      callId: textOf(call['Id']) ?? '',
      name: textOf(made['Name']) ?? '',
      json: textOf(made['Arguments']) ?? '{}',
    });
  }
  return content;
}
