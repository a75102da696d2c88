import type { StreamEvent } from '../../../model/stream-event.js';
import {
  documentOf,
  isDocument,
  numberOf,
  textOf,
  type Document,
} from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { readFinishReason } from './finish-reason.js';
import { readArguments, readCitation } from './read-reply.js';
import { readUsage } from './usage.js';

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
