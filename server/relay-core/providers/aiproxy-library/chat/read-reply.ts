import { fail, ok, type Result } from '../../../../common/result.js';
import type { ChatReply } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import { documentOf, parseDocument } from '../../../formats/shared/fields/json-fields.js';
import { readDocuments } from './read-documents.js';

/** Whole reply → neutral reply. Fails: upstream-malformed. */
export function readLibraryReply(body: Buffer): Result<ChatReply, RelayError> {
  const document = documentOf(parseDocument(body.toString('utf8')));
  const text = document['answer'];
  if (typeof text !== 'string') {
    return fail(refusal('other-kind', { wanted: 'a chat reply' }));
  }
  const sources = readDocuments(document).map((source): ContentPart => ({ type: 'source', source }));
  const content: readonly ContentPart[] = [{ type: 'text', text }, ...sources];
  return ok({
    id: '',
    servedModel: '',
    createdAtSeconds: undefined,
    choices: [{ content, finish: { unified: 'stop', raw: undefined } }],
    usage: undefined,
  });
}
