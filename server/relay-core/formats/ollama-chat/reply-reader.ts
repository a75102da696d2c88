import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { documentOf, isDocument, listOf, textOf, type Document } from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { readFinishReason } from './finish-reason.js';
import { readCall, readTime } from './read-reply.js';
import { readUsage } from './usage.js';

/** Lines of an Ollama stream → neutral events. Tool calls come whole. */
export class OllamaReplyReader implements ReplyReader {
  private open: { readonly block: number; readonly kind: 'text' | 'reasoning' } | null = null;
  private nextBlock = 0;
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
      line = JSON.parse(data);
    } catch {
      // Malformed lines are skipped; the meter counts them and ends the stream after three.
      return NO_EVENTS;
    }
    if (!isDocument(line)) return NO_EVENTS;
    const events: StreamEvent[] = [];
    this.start(line, events);
    const message = documentOf(line['message']);
    this.text('reasoning', textOf(message['thinking']), events);
    this.text('text', textOf(message['content']), events);
    for (const item of listOf(message['tool_calls'])) this.call(documentOf(item), events);
    if (line['done'] === true) this.end(line, events);
    return events;
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    const events: StreamEvent[] = [];
    this.close(events);
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

  private text(kind: 'text' | 'reasoning', text: string | undefined, events: StreamEvent[]): void {
    if (text === undefined) return;
    if (this.open?.kind !== kind) {
      this.close(events);
      this.open = { block: this.nextBlock, kind };
      this.nextBlock += 1;
    }
    const type = kind === 'text' ? 'text-delta' : 'reasoning-delta';
    events.push({ type, block: this.open.block, choice: 0, text });
  }

  private call(item: Document, events: StreamEvent[]): void {
    this.close(events);
    const { callId, name, json } = readCall(item, this.callsBefore + this.calls);
    this.calls += 1;
    const block = this.nextBlock;
    this.nextBlock += 1;
    events.push(
      { type: 'tool-input-start', block, choice: 0, callId, name },
      { type: 'tool-input-delta', block, choice: 0, json },
      { type: 'block-end', block, choice: 0 },
    );
  }

  private end(line: Document, events: StreamEvent[]): void {
    this.close(events);
    const usage = readUsage(line);
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    const reason = textOf(line['done_reason']);
    this.finishReason = readFinishReason(reason ?? 'stop', this.calls > 0);
    events.push({ type: 'choice-end', choice: 0, finish: this.finishReason });
  }

  private close(events: StreamEvent[]): void {
    if (this.open !== null) events.push({ type: 'block-end', block: this.open.block, choice: 0 });
    this.open = null;
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
