import { parseFrame } from '../../framing/exact-json.js';
import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { documentOf, isDocument, numberOf, textOf, type Document } from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { OpenParts } from '../shared/replies/open-parts.js';
import { readFinishReason } from './finish-reason.js';
import { readArguments, readCitation } from './read-reply.js';
import { readUsage } from './usage.js';

/** Frames of a Cohere stream → neutral events. */
export class CohereReplyReader implements ReplyReader {
  /** By what the vendor numbers: `content 0`, `call 0`, `plan`. */
  private readonly parts = new OpenParts();
  private lastText = 0;
  private hasStarted = false;
  private isOver = false;
  private finishReason: FinishReason | undefined;

  read(data: string): readonly StreamEvent[] {
    if (this.isOver || data === '') return NO_EVENTS;
    let event: unknown;
    try {
      event = parseFrame(data);
    } catch {
      // Malformed frames are skipped; the meter counts them and ends the stream after three.
      return NO_EVENTS;
    }
    if (!isDocument(event)) return NO_EVENTS;
    const events: StreamEvent[] = [];
    if (!this.hasStarted) {
      this.hasStarted = true;
      events.push({ type: 'reply-start', id: textOf(event['id']) ?? '', servedModel: '' });
    }
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
        this.parts.words('reasoning', textOf(message['tool_plan']), events, 'plan');
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
        this.end(delta, events);
        break;
      default:
        break;
    }
    return events;
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    const events: StreamEvent[] = [];
    this.parts.closeAll(events);
    events.push({ type: 'reply-end', finish: this.finishReason ?? { unified: 'other', raw: undefined } });
    return events;
  }

  private content(index: number, value: unknown, events: StreamEvent[]): void {
    const part = documentOf(value);
    this.parts.words('reasoning', textOf(part['thinking']), events, `content ${index}`);
    const text = textOf(part['text']);
    this.parts.words('text', text, events, `content ${index}`);
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

  private end(delta: Document, events: StreamEvent[]): void {
    this.parts.closeAll(events);
    const usage = readUsage(delta['usage'], 'shown');
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    const reason = textOf(delta['finish_reason']);
    if (reason === undefined) return;
    this.finishReason = readFinishReason(reason);
    events.push({ type: 'choice-end', choice: 0, finish: this.finishReason });
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
