import { requestRefusal } from '../../model/refusals.js';
import type { ChatRequest, Message } from '../../model/chat.js';
import type { ContentPart } from '../../model/content.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';

export const FOREIGN_FILE = 'a file that another vendor keeps: the model reads a note in its place';
/** Text in the place of a file, for the model. */
export const FILE_NOTE = '[A file was left out: another vendor keeps it.]';

/** The two APIs of OpenAI share its files; a chat names documents by id, but no images. */
const OPENAI: ReadonlySet<string> = new Set(['openai-chat', 'openai-responses']);

/**
 * A translated request without files that only the vendor of the caller's API keeps (`file_id`): no other vendor opens them, and their ids
 * would be read as addresses. In earlier turns a note stands in their place.
 * @returns a refusal, where the question itself names such a file
 */
export function withoutForeignFiles<Request extends ChatRequest>(
  request: Request,
  { clientFormat, apiFormat }: { readonly clientFormat: string; readonly apiFormat: string },
  warnings: Warning[],
): { readonly request: Request } | { readonly refusal: RelayError } {
  const isForeign = (part: ContentPart): boolean =>
    'source' in part &&
    part.type !== 'source' &&
    part.source.kind === 'vendor-file' &&
    !(
      OPENAI.has(clientFormat) &&
      OPENAI.has(apiFormat) &&
      !(apiFormat === 'openai-chat' && part.type === 'image')
    );
  if (clientFormat === apiFormat || !request.messages.some(({ content }) => content.some(isForeign)))
    return { request };
  const lastAnswer = request.messages.findLastIndex(({ role }) => role === 'assistant');
  if (request.messages.some(({ content }, index) => index > lastAnswer && content.some(isForeign)))
    return {
      refusal: requestRefusal(
        'Files that are named by an id are kept by another vendor than the upstream of this model. Send their bytes or an address.',
      ),
    };
  warnings.push({ setting: 'file_id', reason: FOREIGN_FILE });
  const messages = request.messages.map((message): Message => ({
    ...message,
    content: message.content.map((part): ContentPart =>
      isForeign(part) ? { type: 'text', text: FILE_NOTE } : part,
    ),
  }));
  return { request: { ...request, messages } };
}
