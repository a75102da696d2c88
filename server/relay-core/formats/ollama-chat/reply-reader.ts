import { parseFrame } from '../../framing/exact-json.js';
import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { documentOf, isDocument, listOf, textOf, type Document } from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { OpenParts } from '../shared/replies/open-parts.js';
import { readFinishReason } from './finish-reason.js';
import { readCall, readTime } from './read-reply.js';
import { readUsage } from './usage.js';

/** Lines of an Ollama stream → neutral events. Tool calls come whole. */
export class OllamaReplyReader implements ReplyReader {
  private readonly parts = new OpenParts();
  private calls = 0;
  private hasStarted = false;
  private isOver = false;
  private finishReason: FinishReason | undefined;

  /** @param callsBefore  tool calls the conversation holds already */
  constructor(private readonly callsBefore: number) {}

  read(data: string): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    let line: unknown;
    try {
      line = parseFrame(data);
    } catch {
      // Malformed lines are skipped; the meter counts them and ends the stream after three.
      return NO_EVENTS;
    }
    if (!isDocument(line)) return NO_EVENTS;
    const events: StreamEvent[] = [];
    this.start(line, events);
    const message = documentOf(line['message']);
    this.parts.words('reasoning', textOf(message['thinking']), events);
    this.parts.words('text', textOf(message['content']), events);
    for (const item of listOf(message['tool_calls'])) this.call(documentOf(item), events);
    if (line['done'] === true) this.end(line, events);
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

  private start(line: Document, events: StreamEvent[]): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    const createdAtSeconds = readTime(line['created_at']);
    events.push({
      type: 'reply-start',
      id: '',
      servedModel: textOf(line['model']) ?? '',
      ...(createdAtSeconds === undefined ? {} : { createdAtSeconds }),
    });
  }

  private call(item: Document, events: StreamEvent[]): void {
    const { callId, name, json } = readCall(item, this.callsBefore + this.calls);
    this.calls += 1;
    this.parts.beginCall('call', { callId, name }, events);
    this.parts.input('call', json, events);
    this.parts.close('call', events);
  }

  private end(line: Document, events: StreamEvent[]): void {
    this.parts.closeAll(events);
    const usage = readUsage(line);
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    const reason = textOf(line['done_reason']);
    this.finishReason = readFinishReason(reason ?? 'stop', this.calls > 0);
    events.push({ type: 'choice-end', choice: 0, finish: this.finishReason });
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
