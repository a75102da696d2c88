import type { ChatRequest, Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import type { Warning } from '../../../model/warning.js';
import { documentOf } from '../fields/json-fields.js';
import { shortCallId } from './short-call-id.js';

type Spoken = Exclude<Message, { role: 'tool' }>;
type Result = Extract<Message, { role: 'tool' }>;
type Call = Extract<ContentPart, { type: 'tool-call' }>;

/** A call of the history, and what answered it. */
interface Asked {
  readonly call: Call;
  /** Place in the history: the message's number. */
  readonly at: number;
  result?: Result;
  /** Place of its result. */
  answeredAt?: number;
}

/** Missing results come last. */
const placeOf = ({ answeredAt }: Asked): number => answeredAt ?? Number.MAX_SAFE_INTEGER;

const NO_RESULT = 'The tool gave no result.';
const RENAMED = 'calls whose id an earlier call has got ids of their own';

/**
 * A history in the order that every vendor takes: neighbours of the assistant are one message, empty words are gone, the
 * results of calls stand behind their calls, and what stood between them follows. Calls without a result
 * get a result with a note (clients stop turns); a result whose call is gone (clients cut histories) becomes words of the user.
 * @param inCallOrder  the vendor knows results by their place; else they keep the order they came in
 * @param hasUniqueIds  an id may stand for one call of the conversation only; else for one of its turn
 * @param keepsOldCalls  the vendor knows the oldest form: one call, without an id
 * @param longestId  characters of the longest id that the vendor takes
 */
export function orderHistory(
  request: ChatRequest,
  warnings: Warning[],
  { keepsOldCalls = false, inCallOrder = false, hasUniqueIds = false, longestId = Infinity } = {},
): readonly Message[] {
  const messages = joined(request.messages);
  if (!messages.some(holdsCalls)) return messages;
  const asked = pair(messages);
  const taken = new Set<Message>();
  for (const { result } of asked) if (result !== undefined) taken.add(result);
  const ids = new Ids(warnings, hasUniqueIds, longestId);
  const isWhole = !isKeptElsewhere(request);
  return messages.flatMap((message, at): readonly Message[] => {
    if (message.role === 'tool') {
      if (taken.has(message)) return [];
      return isWhole ? asText(message, warnings) : [message];
    }
    const own = asked.filter((one) => one.at === at);
    if (own.length === 0) return [message];
    ids.beginTurn();
    const isOld = keepsOldCalls && own.length === 1 && own[0]?.call.callId === '';
    const named = new Map(own.map((one) => [one.call, isOld ? '' : ids.next(one.call.callId)]));
    const content = message.content.map((part) => withId(part, named));
    if (!inCallOrder) own.sort((first, second) => placeOf(first) - placeOf(second));
    const results = own.map((one) => answerOf(one, named.get(one.call) ?? one.call.callId, warnings));
    return [{ ...message, content }, ...results];
  });
}

const holdsCalls = (message: Message): boolean =>
  message.role === 'tool' || message.content.some(({ type }) => type === 'tool-call');

/** Neighbours of the assistant as one message, without empty words. */
function joined(messages: readonly Message[]): readonly Message[] {
  const kept: Message[] = [];
  for (const message of messages) {
    const one = withoutEmptyText(message);
    const last = kept.at(-1);
    if (one.role !== 'tool' && one.content.length === 0) {
      // The turn is empty; only a user's turn of its own means something.
      if (one.role !== 'user' || last?.role === 'user' || last?.role === 'tool') continue;
      kept.push({ ...one, content: [{ type: 'text', text: '' }] });
    } else if (last?.role === 'assistant' && one.role === 'assistant' && mayJoin(last, one)) {
      kept[kept.length - 1] = { ...one, ...last, content: [...last.content, ...one.content] };
    } else kept.push(one);
  }
  return kept;
}

/** Names and a vendor's own members belong to one message each. */
const mayJoin = (first: Spoken, second: Spoken): boolean =>
  first.name === second.name && (first.vendorOptions === undefined || second.vendorOptions === undefined);

function withoutEmptyText(message: Message): Message {
  if (!message.content.some(isEmptyText)) return message;
  return { ...message, content: message.content.filter((part) => !isEmptyText(part)) };
}

const isEmptyText = (part: ContentPart): boolean =>
  (part.type === 'text' || part.type === 'refusal') &&
  part.text === '' &&
  part.signature === undefined &&
  part.vendorOptions === undefined;

/** Every call of the history with its result. */
function pair(messages: readonly Message[]): readonly Asked[] {
  const asked: Asked[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'tool') {
      for (const part of message.content) if (part.type === 'tool-call') asked.push({ call: part, at });
      continue;
    }
    const call = answeredBy(message, asked);
    if (call !== undefined) Object.assign(call, { result: message, answeredAt: at });
  }
  return asked;
}

/** The call of the latest message that waits for this result; calls without an id are answered by name. */
function answeredBy(result: Result, asked: readonly Asked[]): Asked | undefined {
  const isMeant = ({ call }: Asked): boolean =>
    result.callId === ''
      ? call.callId === '' && (result.name === undefined || result.name === call.name)
      : call.callId === result.callId;
  const waiting = asked.filter((one) => one.result === undefined && isMeant(one));
  const latest = waiting.at(-1)?.at;
  return waiting.find(({ at }) => at === latest);
}

/** Ids of calls: some vendors count anew at every turn, and others refuse an id that came before. */
class Ids {
  private taken = new Set<string>();
  private count = 0;

  constructor(
    private readonly warnings: Warning[],
    private readonly isUnique: boolean,
    private readonly longest: number,
  ) {}

  beginTurn(): void {
    if (!this.isUnique) this.taken = new Set();
  }

  next(id: string): string {
    this.count += 1;
    const fitting = shortCallId(id, this.longest);
    let next = id === '' ? `call_${this.count}` : fitting;
    for (let count = 2; this.taken.has(next); count += 1) next = shortCallId(`${id}_${count}`, this.longest);
    if (next !== fitting && id !== '') warnOnce(this.warnings, RENAMED);
    this.taken.add(next);
    return next;
  }
}

function withId(part: ContentPart, named: ReadonlyMap<Call, string>): ContentPart {
  if (part.type !== 'tool-call') return part;
  const callId = named.get(part) ?? part.callId;
  return callId === part.callId ? part : { ...part, callId };
}

function answerOf({ call, result }: Asked, callId: string, warnings: Warning[]): Result {
  if (result !== undefined) return result.callId === callId ? result : { ...result, callId };
  warnOnce(warnings, 'a tool call nobody answered was marked as such');
  const content = [{ type: 'text', text: NO_RESULT }] as const;
  return { role: 'tool', callId, name: call.name, content, isError: true };
}

function asText({ content }: Result, warnings: Warning[]): readonly Message[] {
  warnOnce(warnings, 'a tool result without its call became text');
  return content.length === 0 ? [] : [{ role: 'user', content }];
}

function warnOnce(warnings: Warning[], reason: string): void {
  if (!warnings.some((known) => known.reason === reason)) warnings.push({ setting: 'messages', reason });
}

const RESPONSES_FORMAT = 'openai-responses';

/** A part of the history is kept by the vendor and only named: the calls of some results stand there. */
function isKeptElsewhere({ messages, vendorOptions }: ChatRequest): boolean {
  const own = vendorOptions?.[RESPONSES_FORMAT];
  if (own?.['previous_response_id'] != null || own?.['conversation'] != null) return true;
  return messages.some(({ content }) =>
    content.some((part) => part.type === 'vendor' && documentOf(part.value)['type'] === 'item_reference'),
  );
}
