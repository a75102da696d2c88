import type { StreamEvent } from '../../../model/stream-event.js';
import { readCounts } from '../../../formats/shared/metering/counted-usage.js';
import {
  type Document,
  documentOf,
  isDocument,
  textOf,
  wholeSecondsOf,
} from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { readEnd } from './finish-reason.js';
import { CALL_ID, readArguments } from './read-reply.js';

/** Frames of the vendor's stream → neutral events. */
export class BaiduReplyReader extends OneAnswerReader {
  private hasCall = false;

  protected override head(frame: Document): ReplyHead {
    return { id: textOf(frame['id']), createdAtSeconds: wholeSecondsOf(frame['created']) };
  }

  protected override frame(frame: Document, events: StreamEvent[]): void {
    if (this.finishReason !== undefined) return;
    if (isDocument(frame['function_call'])) this.call(frame['function_call'], events);
    this.parts.addText('text', textOf(frame['result']), events);
    this.report(readCounts(frame['usage'], 'prompt_tokens', 'completion_tokens'), events);
    const finish = readEnd(frame, frame['is_end'] === true);
    if (finish === undefined) return;
    this.close(events);
    this.end(finish, events);
  }

  /** A call comes in one piece. */
  private call(value: Document, events: StreamEvent[]): void {
    const call = documentOf(value);
    this.parts.addText('reasoning', textOf(call['thoughts']), events);
    const name = textOf(call['name']);
    if (name === undefined || this.hasCall) return;
    this.hasCall = true;
    this.parts.beginCall('call', { callId: CALL_ID, name }, events);
    this.parts.input('call', readArguments(call['arguments']), events);
    this.parts.close('call', events);
  }
}
