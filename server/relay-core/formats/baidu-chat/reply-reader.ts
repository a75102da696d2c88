import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { readCounts } from '../shared/metering/counted-usage.js';
import {
  type Document,
  documentOf,
  isDocument,
  parseDocument,
  textOf,
  wholeSecondsOf,
} from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { OpenParts } from '../shared/replies/open-parts.js';
import { readEnd } from './finish-reason.js';
import { CALL_ID, readArguments } from './read-reply.js';

/** Frames of the vendor's stream → neutral events. */
export class BaiduReplyReader implements ReplyReader {
  private readonly parts = new OpenParts();
  private hasStarted = false;
  private hasCall = false;
  private isOver = false;
  private ended: FinishReason | undefined;

  read(data: string): readonly StreamEvent[] {
    if (this.isOver || this.ended !== undefined) return NO_EVENTS;
    // Malformed frames are skipped; the meter counts them and ends the stream after three.
    const frame = parseDocument(data);
    if (frame === undefined) return NO_EVENTS;
    const events: StreamEvent[] = [];
    this.start(frame, events);
    if (isDocument(frame['function_call'])) this.call(frame['function_call'], events);
    this.parts.words('text', textOf(frame['result']), events);
    const usage = readCounts(frame['usage'], 'prompt_tokens', 'completion_tokens');
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    const finish = readEnd(frame, frame['is_end'] === true);
    if (finish !== undefined) this.end(finish, events);
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
    const createdAtSeconds = wholeSecondsOf(frame['created']);
    events.push({
      type: 'reply-start',
      id: textOf(frame['id']) ?? '',
      servedModel: '',
      ...(createdAtSeconds === undefined ? {} : { createdAtSeconds }),
    });
  }

  /** A call comes in one piece. */
  private call(value: Document, events: StreamEvent[]): void {
    const call = documentOf(value);
    this.parts.words('reasoning', textOf(call['thoughts']), events);
    const name = textOf(call['name']);
    if (name === undefined || this.hasCall) return;
    this.hasCall = true;
    this.parts.beginCall('call', { callId: CALL_ID, name }, events);
    this.parts.input('call', readArguments(call['arguments']), events);
    this.parts.close('call', events);
  }

  private end(finish: FinishReason, events: StreamEvent[]): void {
    this.ended = finish;
    this.parts.closeAll(events);
    events.push({ type: 'choice-end', choice: 0, finish });
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
