import { fail, ok, type Result } from '../../../../common/result.js';
import type { ChatReply } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import {
  documentOf,
  isDocument,
  textOf,
  wholeSecondsOf,
} from '../../../formats/shared/fields/json-fields.js';
import { splitThoughts } from './thoughts.js';
import { readResources, textOfOutputs } from './read-outputs.js';
import { readUsage } from './usage.js';
import { replyDocument } from '../../../formats/shared/replies/reply-document.js';

const MALFORMED = refusal('other-kind', { wanted: 'a chat reply' });

/** Whole reply of any application → neutral reply. Fails: upstream-malformed. */
export function readDifyReply(body: Buffer): Result<ChatReply, RelayError> {
  const read = replyDocument(body, MALFORMED, undefined, JSON.parse);
  if (!read.ok) return read;
  const document = read.value;
  const data = documentOf(document['data']);
  const isWorkflow = isDocument(document['data']) && typeof document['answer'] !== 'string';
  if (!isWorkflow && typeof document['answer'] !== 'string') return fail(MALFORMED);
  const text = isWorkflow ? textOfOutputs(data['outputs']) : (textOf(document['answer']) ?? '');
  const metadata = documentOf(document['metadata']);
  const content: ContentPart[] = [...splitThoughts(text)];
  for (const source of readResources(metadata)) content.push({ type: 'source', source });
  const usage = readUsage(metadata['usage']);
  return ok({
    id: textOf(document['message_id']) ?? textOf(document['workflow_run_id']) ?? '',
    servedModel: '',
    createdAtSeconds: wholeSecondsOf(document['created_at']) ?? wholeSecondsOf(data['created_at']),
    choices: [{ content, finish: { unified: 'stop', raw: undefined } }],
    usage: usage === 'invalid' ? undefined : usage,
  });
}
