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
import { readUsage } from './usage.js';

interface OpenBlock {
  readonly block: number;
  /** `text`, `reasoning`, or the place of a call. */
  readonly key: string;
}

/** Frames of the vendor's stream → neutral events. */
export class TencentReplyReader implements ReplyReader {
  private open: OpenBlock | null = null;
  private nextBlock = 0;
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
      this.close(events);
      events.push({ type: 'choice-end', choice: 0, finish: this.ended });
    }
    return events;
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    const events: StreamEvent[] = [];
    this.close(events);
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
    this.piece('reasoning', textOf(delta['ReasoningContent']), events);
    this.piece('text', textOf(delta['Content']), events);
    for (const [at, item] of listOf(delta['ToolCalls']).entries()) {
      const call = documentOf(item);
      const made = documentOf(call['Function']);
      const key = `call ${numberOf(call['Index']) ?? at}`;
      const name = textOf(made['Name']);
      if (this.open?.key !== key) {
        this.hasCalls = true;
        const block = this.begin(key, events);
        const callId = textOf(call['Id']) ?? '';
        events.push({ type: 'tool-input-start', block, choice: 0, callId, name: name ?? '' });
      }
      const json = textOf(made['Arguments']);
      if (json !== undefined && this.open !== null)
        events.push({ type: 'tool-input-delta', block: this.open.block, choice: 0, json });
    }
  }

  private piece(kind: 'text' | 'reasoning', text: string | undefined, events: StreamEvent[]): void {
    if (text === undefined) return;
    const block = this.open?.key === kind ? this.open.block : this.begin(kind, events);
    events.push({ type: `${kind}-delta`, block, choice: 0, text });
  }

  private begin(key: string, events: StreamEvent[]): number {
    this.close(events);
    const block = this.nextBlock;
    this.nextBlock += 1;
    this.open = { block, key };
    return block;
  }

  private close(events: StreamEvent[]): void {
    if (this.open !== null) events.push({ type: 'block-end', block: this.open.block, choice: 0 });
    this.open = null;
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
