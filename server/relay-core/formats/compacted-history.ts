import type { ChatRequest, Message } from '../model/chat.js';
import type { ContentPart } from '../model/content.js';
import type { Warning } from '../model/warning.js';
import { MESSAGES_FORMAT } from './anthropic-messages/id.js';
import { isCompaction, isCompactionTrigger, readCompaction } from './openai-responses/compaction.js';
import { RESPONSES_FORMAT } from './openai-responses/id.js';
import { documentOf, textOf } from './shared/fields/json-fields.js';

const HEAD = 'Summary of the conversation so far, which takes the place of its earlier messages:';
const ASK = [
  'Summarize this conversation so that another model can continue the work from your summary alone.',
  'Name the task and the wishes of the user, decisions and their reasons, what is done and what failed,',
  'names of files, commands and values that are still needed, and the next steps.',
  'Answer with the summary and nothing else. Call no tools.',
].join(' ');

/**
 * A history with compactions for a vendor of another API: the summary of the last one takes the place of what stands before it, and a
 * request for a compaction becomes a turn that asks for a summary.
 * @param apiFormat  id of the vendor's API
 * @param isOther  another vendor has the same API: it does not know Anthropic's compactions
 */
export function withCompactedHistory(
  request: ChatRequest,
  apiFormat: string,
  isOther: boolean,
  warnings: Warning[],
): ChatRequest {
  const opened = compacted(request.messages, isOther && apiFormat === MESSAGES_FORMAT ? '' : apiFormat);
  const messages = apiFormat === RESPONSES_FORMAT ? opened : withoutSealed(opened, warnings);
  if (apiFormat === RESPONSES_FORMAT || !isCompactionTrigger(messages.at(-1)?.content.at(-1)))
    return messages === request.messages ? request : { ...request, messages };
  const last = messages.at(-1) as Message;
  const before = last.content.slice(0, -1);
  return {
    ...request,
    messages: [
      ...messages.slice(0, -1),
      ...(before.length === 0 ? [] : [{ ...last, content: before }]),
      { role: 'user', content: [{ type: 'text', text: ASK }] },
    ],
    ...(request.tools === undefined ? {} : { toolChoice: { type: 'none' } }),
  };
}

const SEALED_NOTE =
  '[Another vendor sealed its summary of the earlier conversation: it cannot be read here.]';
const SEALED = 'a summary that another vendor sealed was left out';

/** Notes in the place of summaries that their own vendor alone can open. */
function withoutSealed(messages: readonly Message[], warnings: Warning[]): readonly Message[] {
  const isSealed = (part: ContentPart): boolean => part.type === 'vendor' && isCompaction(part);
  if (!messages.some(({ content }) => content.some(isSealed))) return messages;
  warnings.push({ setting: 'input', reason: SEALED });
  return messages.flatMap((message): readonly Message[] => {
    if (!message.content.some(isSealed)) return [message];
    const rest = message.content.filter((part) => !isSealed(part));
    const note: Message = { role: 'user', content: [{ type: 'text', text: SEALED_NOTE }] };
    return rest.length === 0 ? [note] : [note, { ...message, content: rest }];
  });
}

/** The summary in a compaction that this gateway wrote: every vendor gets it as text. */
export const ownSummary = ({ value }: { readonly value: unknown }): string | undefined =>
  readCompaction(documentOf(value));

function compacted(messages: readonly Message[], apiFormat: string): readonly Message[] {
  const at = messages.findLastIndex(({ content }) =>
    content.some((part) => summaryOf(part, apiFormat) !== undefined),
  );
  const message = messages[at];
  if (message === undefined) return messages;
  const place = message.content.findLastIndex((part) => summaryOf(part, apiFormat) !== undefined);
  const summary = summaryOf(message.content[place] as ContentPart, apiFormat) ?? '';
  const after = message.content.slice(place + 1);
  return [
    ...messages.slice(0, at).filter(({ role }) => role === 'system' || role === 'developer'),
    { role: 'user', content: [{ type: 'text', text: `${HEAD}\n\n${summary}` }] },
    ...(after.length === 0 ? [] : [{ ...message, content: after }]),
    ...messages.slice(at + 1),
  ];
}

/** The summary in a compaction that the vendor cannot open itself. */
function summaryOf(part: ContentPart, apiFormat: string): string | undefined {
  if (part.type !== 'vendor') return undefined;
  const value = documentOf(part.value);
  if (part.apiFormat === RESPONSES_FORMAT) return ownSummary(part);
  if (part.apiFormat !== MESSAGES_FORMAT || apiFormat === MESSAGES_FORMAT) return undefined;
  return value['type'] === 'compaction' ? textOf(value['content']) : undefined;
}
