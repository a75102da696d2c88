import { createHash } from 'node:crypto';
import type { ChatRequest, Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import type { Warning } from '../../../model/warning.js';
import { isDocument } from '../../../formats/shared/fields/json-fields.js';
import {
  warnOfOtherFormatFields,
  warnOfModelSettings,
} from '../../../formats/shared/fields/dropped-fields.js';
import type { RequestEdits, WrittenRequest } from '../../../formats/contract/api-format.js';
import { COZE_FORMAT } from './id.js';
import { writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';
import { supportsTextAnd } from '../../../formats/shared/requests/supported-parts.js';

/** Members a caller of any format may give for the bot by their own names. */
const CALLERS_FIELDS = ['custom_variables', 'parameters'] as const;
/** The kinds of files a message may hold, by our kind of content. */
const FILE_KINDS: ReadonlyMap<string, string> = new Map([
  ['image', 'image'],
  ['file', 'file'],
  ['audio', 'audio'],
]);

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

/** Files are taken by their address only. */
export const supportsPart = supportsTextAnd('image', 'file', 'audio');

function passThroughFields(request: ChatRequest): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [apiFormat, options] of Object.entries(request.vendorOptions ?? {})) {
    if (apiFormat === COZE_FORMAT) continue;
    for (const name of CALLERS_FIELDS) if (isDocument(options[name])) members[name] = options[name];
  }
  return members;
}

/** A bot has instructions of its own: those of the caller are told it as words of the user. */
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

/** The vendor answers the user's last words and nothing else. */
const endingWithTheUser = (turns: readonly Turn[]): readonly Turn[] =>
  turns.at(-1)?.role === 'user'
    ? turns
    : turns.concat({ role: 'user', items: [{ type: 'text', text: ' ' }] });

function writeTurn({ role, items }: Turn): Readonly<Record<string, string>> {
  const type = role === 'user' ? 'question' : 'answer';
  if (items.every((item) => item['type'] === 'text')) {
    const content = items.map((item) => item['text']).join('\n');
    return { role, type, content, content_type: 'text' };
  }
  return { role, type, content: JSON.stringify(items), content_type: 'object_string' };
}

/** The vendor wants a name for whoever asks; two calls with the same question may share it. */
const anonymousUser = (turns: readonly Turn[]): string =>
  `caller-${createHash('sha256').update(JSON.stringify(turns)).digest('hex').slice(0, 16)}`;
