import { createHash } from 'node:crypto';
import { fail } from '../../../../common/result.js';
import { spliceFields } from '../../../framing/json-splice.js';
import {
  refuseContent,
  refuseSeveralChoices,
  warnOfModelSettings,
  warnOfOtherFormatFields,
} from '../../../formats/shared/fields/dropped-fields.js';
import type { RequestEdits, UpstreamFormat, WrittenRequest } from '../../../formats/contract/api-format.js';
import { COZE_EVENTS, COZE_FORMAT } from './id.js';
import { refusal } from '../../../model/refusals.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import { type Document, isDocument, textOf } from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import type { EventVerdict, WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { JsonEventMeter, key, parseSpan } from '../../../formats/shared/metering/json-event-meter.js';
import type { ChatRequest, Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import type { Warning } from '../../../model/warning.js';
import { writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';
import { supportsTextAnd } from '../../../formats/shared/requests/supported-parts.js';
import type { Usage } from '../../../model/usage.js';
import { readCounts } from '../../../formats/shared/metering/reported-usage.js';

/** Members a caller of any format may give for the bot by their own names. */
const CALLERS_FIELDS = ['custom_variables', 'parameters'] as const;
/** The kinds of files a message may hold, by our kind of content. */
const FILE_KINDS: ReadonlyMap<string, string> = new Map([
  ['image', 'image'],
  ['file', 'file'],
  ['audio', 'audio'],
]);

/** Files are taken by their address only. */
export const supportsPart = supportsTextAnd('image', 'file', 'audio');

/** The vendor answers the user's last words and nothing else. */
const endingWithTheUser = (turns: readonly Turn[]): readonly Turn[] =>
  turns.at(-1)?.role === 'user'
    ? turns
    : turns.concat({ role: 'user', items: [{ type: 'text', text: ' ' }] });

/** The vendor requires a user id; two calls with the same question may share one. */
const anonymousUser = (turns: readonly Turn[]): string =>
  `caller-${createHash('sha256').update(JSON.stringify(turns)).digest('hex').slice(0, 16)}`;

const TYPE = key('type');
const CONTENT = key('content');
const REASONING = key('reasoning_content');
const USAGE = key('usage');
const LAST_ERROR = key('last_error');
const ID = key('id');
const CONVERSATION = key('conversation_id');

const FINISH = { unified: 'stop', raw: undefined } as const;

/** Chats of Coze, version 3: https://www.coze.com/docs/developer_guides/chat_v3 (read 2026-11-24). */
export const cozeChat: UpstreamFormat<'chat'> = {
  id: COZE_FORMAT,
  // The bot knows its model; a body of this format names none.
  spliceRequest: ({ document }) => spliceFields(document, new Map([['model', undefined]])),
  writeRequest: writeCozeRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  framingOf: () => 'named-sse',
  openMeter: () => new CozeChatMeter(),
  readReply: () => fail(refusal('other-kind', { wanted: 'a chat reply' })),
  openReplyReader: () => new CozeReplyReader(),
};

/** Frames of a Coze stream → neutral events. */
export class CozeReplyReader extends OneAnswerReader {
  private hasText = false;

  protected override head(frame: Document): ReplyHead {
    return { id: textOf(frame['chat_id']) ?? textOf(frame['id']) };
  }

  protected override frame(frame: Document, events: StreamEvent[], name: string): void {
    if (name === COZE_EVENTS.piece || (name === COZE_EVENTS.message && !this.hasText)) {
      if (frame['type'] === 'answer') this.message(frame, events);
    } else if (name === COZE_EVENTS.completed && this.finishReason === undefined) {
      this.close(events);
      this.report(readUsage(frame['usage']), events);
      this.end(FINISH, events);
    }
  }

  private message(frame: Document, events: StreamEvent[]): void {
    this.piece('reasoning', textOf(frame['reasoning_content']), events);
    this.piece('text', textOf(frame['content']), events);
  }

  private piece(kind: 'text' | 'reasoning', text: string | undefined, events: StreamEvent[]): void {
    this.hasText ||= text !== undefined;
    this.parts.addText(kind, text, events);
  }
}

/** Meter of a Coze bot's replies. What the bot does inside is not output and costs nothing. */
export class CozeChatMeter extends JsonEventMeter {
  override readonly readsMore = true;
  private type = '';
  private sawUsage = false;
  private lastError: unknown;
  private chatId: string | undefined;
  private conversationId: string | undefined;
  /** Text came piece by piece: the message at the end repeats it. */
  private hasText = false;

  override readEvent(data: Buffer, start: number, end: number, name: string): EventVerdict {
    if (start >= end) return 'silent';
    if (name === COZE_EVENTS.end) return 'end';
    const isMessage = name === COZE_EVENTS.piece || (name === COZE_EVENTS.message && !this.hasText);
    if (isMessage) return this.message(data, start, end);
    this.sawUsage = false;
    if (!this.walk(data, start, end, this.chat)) return 'malformed';
    switch (name) {
      case COZE_EVENTS.error:
        return this.failedWith(parseSpan(data, start, end));
      case COZE_EVENTS.failed:
        this.underWay = undefined;
        return this.failedWith(this.lastError ?? { msg: 'The bot failed.' });
      case COZE_EVENTS.wantsTool:
        return this.failedWith({ code: 'requires_action', msg: 'This bot wants a tool of its own.' });
      case COZE_EVENTS.completed:
        this.takeFinish('stop');
        this.underWay = undefined;
        return this.hasText ? 'content' : this.sawUsage ? 'usage-only' : 'setup';
      case COZE_EVENTS.created:
      case COZE_EVENTS.inProgress:
        if (this.chatId !== undefined && this.conversationId !== undefined)
          this.underWay = { chat_id: this.chatId, conversation_id: this.conversationId };
        return 'setup';
      default:
        return 'setup';
    }
  }

  /** The request wanted a stream: a document instead of it is a refusal, whatever its status. */
  override readWhole(body: Buffer): WholeVerdict {
    if (!this.walk(body, 0, body.length, this.chat)) return 'malformed';
    return this.failedWith(parseSpan(body, 0, body.length));
  }

  /** Its kind may stand behind its words: it is looked for first. */
  private message(data: Buffer, start: number, end: number): EventVerdict {
    this.type = '';
    if (!this.walk(data, start, end, this.kind)) return 'malformed';
    if (this.type !== 'answer') return 'setup';
    this.walk(data, start, end, this.onText);
    return this.sawContent ? 'content' : 'setup';
  }

  private readonly kind = (): void => {
    if (this.cursor.keyIs(TYPE)) this.type = this.takeString() ?? '';
    else this.cursor.skipValue();
  };

  private readonly onText = (): void => {
    if (this.cursor.keyIs(CONTENT) || this.cursor.keyIs(REASONING)) {
      if (this.takeText()) this.hasText = true;
    } else this.cursor.skipValue();
  };

  private readonly chat = (): void => {
    if (this.cursor.keyIs(LAST_ERROR)) this.lastError = this.takeValue();
    else if (this.cursor.keyIs(USAGE)) this.report();
    else if (this.cursor.keyIs(ID)) this.chatId = this.takeString();
    else if (this.cursor.keyIs(CONVERSATION)) this.conversationId = this.takeString();
    else this.cursor.skipValue();
  };

  private report(): void {
    if (this.takeUsage(readUsage(this.takeValue()))) this.sawUsage = true;
  }
}

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly items: readonly Readonly<Record<string, string>>[];
}

/**
 * Neutral request → body of `/v3/chat`. The bot stands in the format's own options and knows its model. A stream is always asked for:
 * without one the vendor answers that it will answer.
 */
export function writeCozeRequest(request: ChatRequest, edits: RequestEdits): WrittenRequest {
  const warnings: Warning[] = [];
  const turns = endingWithTheUser(turnsOf(request.messages, warnings));
  const body: Record<string, unknown> = {
    ...passThroughFields(request),
    bot_id: request.vendorOptions?.[COZE_FORMAT]?.['bot_id'] ?? '',
    user_id: request.user ?? anonymousUser(turns),
    stream: true,
    // Every call brings its whole conversation: nothing of it is to be kept there.
    auto_save_history: false,
    additional_messages: turns.map(writeTurn),
  };
  warnOfModelSettings(request, 'a Coze bot', warnings);
  warnOfOtherFormatFields(request.vendorOptions, COZE_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}

function passThroughFields(request: ChatRequest): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [apiFormat, options] of Object.entries(request.vendorOptions ?? {})) {
    if (apiFormat === COZE_FORMAT) continue;
    for (const name of CALLERS_FIELDS) if (isDocument(options[name])) members[name] = options[name];
  }
  return members;
}

/** A bot has instructions of its own: the caller's become text of the user. */
function turnsOf(messages: readonly Message[], warnings: Warning[]): readonly Turn[] {
  return messages.flatMap((message): readonly Turn[] => {
    const items = message.content.flatMap((part) => itemsOf(part, warnings));
    if (items.length === 0) return [];
    return [{ role: message.role === 'assistant' ? 'assistant' : 'user', items }];
  });
}

function itemsOf(part: ContentPart, warnings: Warning[]): readonly Readonly<Record<string, string>>[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'tool-call':
      return [{ type: 'text', text: `${part.name}(${part.json})` }];
    case 'image':
    case 'file':
    case 'audio':
      if (part.source.kind === 'url')
        return [{ type: FILE_KINDS.get(part.type) ?? 'file', file_url: part.source.url }];
      break;
    case 'reasoning':
    case 'source':
      return [];
    case 'video':
    case 'vendor':
      break;
  }
  warnings.push({ setting: 'messages', reason: `an earlier answer's ${part.type} was left out` });
  return [];
}

function writeTurn({ role, items }: Turn): Readonly<Record<string, string>> {
  const type = role === 'user' ? 'question' : 'answer';
  if (items.every((item) => item['type'] === 'text')) {
    const content = items.map((item) => item['text']).join('\n');
    return { role, type, content, content_type: 'text' };
  }
  return { role, type, content: JSON.stringify(items), content_type: 'object_string' };
}

/** @returns undefined when nothing was reported (plans without tokens report zeros), 'invalid' when a figure cannot be true */
export function readUsage(value: unknown): Usage | 'invalid' | undefined {
  const usage = readCounts(value, 'input_count', 'output_count');
  if (usage === undefined || usage === 'invalid') return usage;
  return usage.input.total === 0 && usage.output.total === 0 ? undefined : usage;
}
