import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import {
  type Document,
  documentOf,
  listOf,
  numberOf,
  parseDocument,
  textOf,
  wholeSecondsOf,
} from '../shared/fields/json-fields.js';
import { readFinishReason } from '../shared/openai/openai-finish-reason.js';
import type { ReplyReader } from '../contract/api-format.js';
import { OpenParts } from '../shared/replies/open-parts.js';
import { readUsage } from './usage.js';

/** Frames of the vendor's stream → neutral events. */
export class TencentReplyReader implements ReplyReader {
  private readonly parts = new OpenParts();
  private hasStarted = false;
  private hasCalls = false;
  private isOver = false;
  private ended: FinishReason | undefined;

  read(data: string): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    // Malformed frames are skipped; the meter counts them and ends the stream after three.
    const frame = parseDocument(data);
    if (frame === undefined) return NO_EVENTS;
    const events: StreamEvent[] = [];
    this.start(frame, events);
    const choice = documentOf(listOf(frame['Choices'])[0]);
    this.delta(documentOf(choice['Delta']), events);
    const usage = readUsage(frame['Usage']);
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    const reason = textOf(choice['FinishReason']);
    if (reason !== undefined && this.ended === undefined) {
      this.ended = readFinishReason(reason, this.hasCalls);
      this.parts.closeAll(events);
      events.push({ type: 'choice-end', choice: 0, finish: this.ended });
    }
    return events;
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    const events: StreamEvent[] = [];
    this.parts.closeAll(events);
    events.push({ type: 'reply-end', finish: this.ended ?? { unified: 'other', raw: undefined } });
    return events;
  }

  private start(frame: Document, events: StreamEvent[]): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    const createdAtSeconds = wholeSecondsOf(frame['Created']);
    events.push({
      type: 'reply-start',
      id: textOf(frame['Id']) ?? '',
      servedModel: '',
      ...(createdAtSeconds === undefined ? {} : { createdAtSeconds }),
    });
  }

  private delta(delta: Document, events: StreamEvent[]): void {
    this.parts.words('reasoning', textOf(delta['ReasoningContent']), events);
    this.parts.words('text', textOf(delta['Content']), events);
    for (const [at, item] of listOf(delta['ToolCalls']).entries()) {
      const call = documentOf(item);
      const made = documentOf(call['Function']);
      const key = `call ${numberOf(call['Index']) ?? at}`;
      if (this.parts.get(key) === undefined) {
        this.hasCalls = true;
        const [callId, name] = [textOf(call['Id']) ?? '', textOf(made['Name']) ?? ''];
        this.parts.beginCall(key, { callId, name }, events);
      }
      this.parts.input(key, textOf(made['Arguments']), events);
    }
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
