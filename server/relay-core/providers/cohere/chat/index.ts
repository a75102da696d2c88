import { spliceFields } from '../../../framing/json-splice.js';
import { refuseContent, refuseSeveralChoices } from '../../../formats/shared/fields/dropped-fields.js';
import { USUAL_TOOL_NAMES } from '../../../formats/shared/fields/tool-names.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { PLAIN_ROOTS } from '../../../formats/shared/fields/tool-roots.js';
import { COHERE_CHAT_FORMAT } from './id.js';
import { CohereChatMeter } from './meter.js';
import { supportsPart, writeCohereRequest } from './write-request.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import {
  type Document,
  documentOf,
  given,
  isDocument,
  listOf,
  numberOf,
  textOf,
} from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { readFinishReason } from './finish-reason.js';
import { readUsage } from './usage.js';
import { ok, type Result } from '../../../../common/result.js';
import type { ChatReply } from '../../../model/chat.js';
import type { ContentPart, Source } from '../../../model/content.js';
import { refusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import { keepUnknown } from '../../../model/vendor-options.js';
import { replyDocument } from '../../../formats/shared/replies/reply-document.js';

const MALFORMED = refusal('other-kind', { wanted: 'a chat reply' });

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['id', 'message', 'finish_reason', 'usage']);

/** Cohere's chat grammar, version 2: https://docs.cohere.com/reference/chat (read 2026-11-21). */
export const cohereChat: UpstreamFormat<'chat'> = {
  id: COHERE_CHAT_FORMAT,
  capPlaces: ['max_tokens'],
  responseFormatsAreObjects: true,
  toolRoots: [{ roots: PLAIN_ROOTS }],
  toolNames: USUAL_TOOL_NAMES,
  spliceRequest: ({ document }, edits) => spliceFields(document, new Map([['model', edits.upstreamModel]])),
  writeRequest: writeCohereRequest,
  refuseRequest: (request) => refuseSeveralChoices(request) ?? refuseContent(request, supportsPart),
  openMeter: () => new CohereChatMeter(),
  readReply: readCohereReply,
  openReplyReader: () => new CohereReplyReader(),
};

/** Frames of a Cohere stream → neutral events. Parts go by what the vendor numbers: `content 0`, `call 0`, `plan`. */
export class CohereReplyReader extends OneAnswerReader {
  private lastText = 0;

  protected override head(event: Document): ReplyHead {
    return { id: textOf(event['id']) };
  }

  protected override frame(event: Document, events: StreamEvent[]): void {
    const delta = documentOf(event['delta']);
    const message = documentOf(delta['message']);
    const index = numberOf(event['index']) ?? 0;
    switch (event['type']) {
      case 'content-start':
      case 'content-delta':
        this.content(index, message['content'], events);
        break;
      case 'content-end':
        this.parts.close(`content ${index}`, events);
        break;
      case 'tool-plan-delta':
        this.parts.addText('reasoning', textOf(message['tool_plan']), events, 'plan');
        break;
      case 'tool-call-start':
      case 'tool-call-delta':
        this.toolCall(index, documentOf(message['tool_calls']), events);
        break;
      case 'tool-call-end':
        this.parts.close(`call ${index}`, events);
        break;
      case 'citation-start':
        for (const source of readCitation(documentOf(message['citations'])))
          events.push({ type: 'source', block: this.lastText, choice: 0, source });
        break;
      case 'message-end':
        this.finishMessage(delta, events);
        break;
      default:
        break;
    }
  }

  private content(index: number, value: unknown, events: StreamEvent[]): void {
    const part = documentOf(value);
    this.parts.addText('reasoning', textOf(part['thinking']), events, `content ${index}`);
    const text = textOf(part['text']);
    this.parts.addText('text', text, events, `content ${index}`);
    if (text !== undefined) this.lastText = this.parts.last;
  }

  private toolCall(index: number, call: Document, events: StreamEvent[]): void {
    const body = documentOf(call['function']);
    const key = `call ${index}`;
    if (this.parts.get(key) === undefined) {
      const [callId, name] = [textOf(call['id']) ?? '', textOf(body['name']) ?? ''];
      this.parts.beginCall(key, { callId, name }, events);
    }
    const json = isDocument(body['arguments']) ? readArguments(body['arguments']) : textOf(body['arguments']);
    this.parts.input(key, json, events);
  }

  private finishMessage(delta: Document, events: StreamEvent[]): void {
    this.close(events);
    this.report(readUsage(delta['usage'], 'shown'), events);
    const reason = textOf(delta['finish_reason']);
    if (reason !== undefined) this.end(readFinishReason(reason), events);
  }
}

/** Whole reply → neutral reply; missing members are tolerated. Fails: upstream-malformed. */
export function readCohereReply(body: Buffer): Result<ChatReply, RelayError> {
  const read = replyDocument(body, MALFORMED, (document) => isDocument(document['message']));
  if (!read.ok) return read;
  const document = read.value;
  const reason = textOf(document['finish_reason']);
  const usage = readUsage(document['usage'], 'shown');
  const vendorOptions = keepUnknown(COHERE_CHAT_FORMAT, document, KNOWN_FIELDS);
  return ok({
    id: textOf(document['id']) ?? '',
    servedModel: '',
    createdAtSeconds: undefined,
    choices: [
      {
        content: readContent(documentOf(document['message'])),
        finish: reason === undefined ? undefined : readFinishReason(reason),
      },
    ],
    usage: usage === 'invalid' ? undefined : usage,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

function readContent(message: Document): readonly ContentPart[] {
  const content: ContentPart[] = [];
  const plan = textOf(message['tool_plan']);
  if (plan !== undefined) content.push({ type: 'reasoning', text: plan });
  const whole = textOf(message['content']);
  if (whole !== undefined) content.push({ type: 'text', text: whole });
  for (const item of listOf(message['content'])) {
    const part = documentOf(item);
    const thinking = textOf(part['thinking']);
    const text = textOf(part['text']);
    if (thinking !== undefined) content.push({ type: 'reasoning', text: thinking });
    if (text !== undefined) content.push({ type: 'text', text });
  }
  for (const item of listOf(message['tool_calls'])) {
    const call = documentOf(item);
    const body = documentOf(call['function']);
    content.push({
      type: 'tool-call',
      callId: textOf(call['id']) ?? '',
      name: textOf(body['name']) ?? '',
      json: readArguments(body['arguments']),
    });
  }
  for (const item of listOf(message['citations'])) {
    for (const source of readCitation(documentOf(item))) content.push({ type: 'source', source });
  }
  return content;
}

/** A tool without arguments is called with `null`, or with nothing. */
export function readArguments(value: unknown): string {
  if (isDocument(value)) return JSON.stringify(value);
  const text = textOf(value);
  return text === undefined || text === 'null' ? '{}' : text;
}

/** One citation rests on one or more places. */
export function readCitation(citation: Document): readonly Source[] {
  const quote = textOf(citation['text']);
  const start = numberOf(citation['start']);
  const end = numberOf(citation['end']);
  const shared = {
    ...(quote === undefined ? {} : { quote }),
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    vendorOptions: { [COHERE_CHAT_FORMAT]: citation },
  };
  const places = listOf(citation['sources']).map(documentOf);
  if (places.length === 0) return [shared];
  return places.map((place) => {
    const document = documentOf(place['document']);
    const url = textOf(document['url']);
    const id = textOf(place['id']);
    const title = textOf(document['title']) ?? id;
    return {
      ...shared,
      ...(url === undefined ? given('documentId', id) : { url }),
      ...given('title', title),
    };
  });
}
