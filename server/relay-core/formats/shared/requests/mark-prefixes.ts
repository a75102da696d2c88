import type { ChatRequest, Message } from '../../../model/chat.js';
import type { CacheMark, ContentPart } from '../../../model/content.js';
import type { Tool } from '../../../model/tool.js';
import { hasCacheMarks } from '../fields/cache-marks.js';
import { isDocument } from '../fields/json-fields.js';

/** Without a time: the vendor keeps the prefix for five minutes, its cheaper write. */
const MARK: CacheMark = { ttl: undefined };
/** The last one is written for the next call; the one before was written by the call before and is read. */
const MARKED_TURNS = 2;

/**
 * Marks the prefixes of a conversation for a vendor that caches what is marked: the end of the instructions, or of the tools where there are
 * no instructions, and the last two turns of the user, whose results of tools count as theirs. These are three marks at most.
 * Claude takes four (https://docs.claude.com/en/docs/build-with-claude/prompt-caching, read 2026-11-28).
 * @returns the same object for a request with marks of its own, and for one without a turn of the assistant: its prefix may never be read again,
 * and writing costs more than reading without a cache
 */
export function withMarkedPrefixes(request: ChatRequest): ChatRequest {
  const isFirstTurn = !request.messages.some(({ role }) => role === 'assistant');
  if (isFirstTurn || hasCacheMarks(request) || marksByItself(request)) return request;
  const messages = [...request.messages];
  const hasInstructions = markLast(messages, isInstruction);
  for (const turn of lastUserTurns(messages)) markLast(messages, (_, at) => turn.has(at));
  if (hasInstructions || request.tools === undefined) return { ...request, messages };
  return { ...request, messages, tools: withLastMarked(request.tools) };
}

/** `cache_control` at the top of a request lets the vendor place the marks. */
const marksByItself = ({ vendorOptions }: ChatRequest): boolean =>
  Object.values(vendorOptions ?? {}).some((fields) => isDocument(fields['cache_control']));

const isInstruction = ({ role }: Message): boolean => role === 'system' || role === 'developer';

/** Places of the messages of each of the last turns of the user; instructions in between part no turns. */
function lastUserTurns(messages: readonly Message[]): readonly ReadonlySet<number>[] {
  const turns: Set<number>[] = [];
  let isOpen = false;
  for (let at = messages.length - 1; at >= 0 && turns.length <= MARKED_TURNS; at -= 1) {
    const message = messages[at] as Message;
    if (isInstruction(message)) continue;
    if (message.role === 'assistant') isOpen = false;
    else {
      if (!isOpen) turns.push(new Set());
      isOpen = true;
      turns.at(-1)?.add(at);
    }
  }
  return turns.slice(0, MARKED_TURNS);
}

/** Marks the end of the last chosen message that can bear a mark. @returns false when there is none */
function markLast(messages: Message[], isChosen: (message: Message, at: number) => boolean): boolean {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at] as Message;
    const marked = isChosen(message, at) ? markEnd(message) : undefined;
    if (marked === undefined) continue;
    messages[at] = marked;
    return true;
  }
  return false;
}

function markEnd(message: Message): Message | undefined {
  if (message.role === 'tool') return { ...message, cache: MARK };
  const last = message.content.findLastIndex(isMarkable);
  if (last === -1) return undefined;
  return {
    ...message,
    content: message.content.map((part, at) => (at === last ? { ...part, cache: MARK } : part)),
  };
}

/** Texts of white space leave the request, as do parts that only some models read. */
const isMarkable = (part: ContentPart): boolean =>
  part.type === 'text' ? part.text.trim() !== '' : part.type === 'image' || part.type === 'file';

function withLastMarked(tools: readonly Tool[]): readonly Tool[] {
  const last = tools.findLastIndex(({ type }) => type === 'function');
  return tools.map((tool, at) => (at === last && tool.type === 'function' ? { ...tool, cache: MARK } : tool));
}
