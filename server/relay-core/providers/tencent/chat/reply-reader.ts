import type { StreamEvent } from '../../../model/stream-event.js';
import {
  type Document,
  documentOf,
  listOf,
  numberOf,
  textOf,
  wholeSecondsOf,
} from '../../../formats/shared/fields/json-fields.js';
import { readFinishReason } from '../../../formats/shared/openai/openai-finish-reason.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { readUsage } from './usage.js';

/** Frames of the vendor's stream → neutral events. */
export class TencentReplyReader extends OneAnswerReader {
  private hasCalls = false;

  protected override head(frame: Document): ReplyHead {
    return { id: textOf(frame['Id']), createdAtSeconds: wholeSecondsOf(frame['Created']) };
  }

  protected override frame(frame: Document, events: StreamEvent[]): void {
    const choice = documentOf(listOf(frame['Choices'])[0]);
    this.delta(documentOf(choice['Delta']), events);
    this.report(readUsage(frame['Usage']), events);
    const reason = textOf(choice['FinishReason']);
    if (reason === undefined || this.finishReason !== undefined) return;
    this.close(events);
    this.end(readFinishReason(reason, this.hasCalls), events);
  }

  private delta(delta: Document, events: StreamEvent[]): void {
    this.parts.addText('reasoning', textOf(delta['ReasoningContent']), events);
    this.parts.addText('text', textOf(delta['Content']), events);
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
