import { fail, ok, type Result } from '../../../../common/result.js';
import { parseExact } from '../../../framing/exact-json.js';
import type { RelayError } from '../../../model/relay-error.js';
import { isDocument, type Document } from '../fields/json-fields.js';

/**
 * The document that a vendor's whole reply is. Fails: upstream-malformed.
 * @param malformed  when it is none, or not one that `isReply` knows
 * @param parse    `JSON.parse` where no number is written again as it came
 */
export function replyDocument(
  body: Buffer,
  malformed: RelayError,
  isReply: (document: Document) => boolean = () => true,
  parse: (text: string) => unknown = parseExact,
): Result<Document, RelayError> {
  try {
    const document = parse(body.toString('utf8'));
    return isDocument(document) && isReply(document) ? ok(document) : fail(malformed);
  } catch (cause) {
    return fail({ ...malformed, cause });
  }
}
