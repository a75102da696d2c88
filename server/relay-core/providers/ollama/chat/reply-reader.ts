import type { StreamEvent } from '../../../model/stream-event.js';
import { documentOf, listOf, textOf, type Document } from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { readFinishReason } from './finish-reason.js';
import { readCall, readTime } from './read-reply.js';
import { readUsage } from './usage.js';

/** Lines of an Ollama stream → neutral events. Tool calls come whole. */
export class OllamaReplyReader extends OneAnswerReader {
  private calls = 0;

  /** @param callsBefore  tool calls the conversation holds already */
  constructor(private readonly callsBefore: number) {
    super();
  }

  protected override head(line: Document): ReplyHead {
    return { servedModel: textOf(line['model']), createdAtSeconds: readTime(line['created_at']) };
  }

  protected override frame(line: Document, events: StreamEvent[]): void {
    const message = documentOf(line['message']);
    this.parts.addText('reasoning', textOf(message['thinking']), events);
    this.parts.addText('text', textOf(message['content']), events);
    for (const item of listOf(message['tool_calls'])) this.call(documentOf(item), events);
    if (line['done'] !== true) return;
    this.close(events);
    this.report(readUsage(line), events);
    this.end(readFinishReason(textOf(line['done_reason']) ?? 'stop', this.calls > 0), events);
  }

  private call(item: Document, events: StreamEvent[]): void {
    const { callId, name, json } = readCall(item, this.callsBefore + this.calls);
    this.calls += 1;
    this.parts.beginCall('call', { callId, name }, events);
    this.parts.input('call', json, events);
    this.parts.close('call', events);
  }
}
