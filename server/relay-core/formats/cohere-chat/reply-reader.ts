import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { documentOf, isDocument, numberOf, textOf, type Document } from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { readFinishReason } from './finish-reason.js';
import { readArguments, readCitation } from './read-reply.js';
import { readUsage } from './usage.js';

interface OpenBlock {
  readonly block: number;
  readonly kind: 'text' | 'reasoning' | 'tool-call';
  hasInput: boolean;
}

/** Frames of a Cohere stream → neutral events. */
export class CohereReplyReader implements ReplyReader {
  /** By what the vendor numbers: `content 0`, `call 0`, `plan`. */
  private readonly open = new Map<string, OpenBlock>();
  private nextBlock = 0;
  private lastText = 0;
  private hasStarted = false;
  private isOver = false;
  private finishReason: FinishReason | undefined;

  read(data: string): readonly StreamEvent[] {
    if (this.isOver || data === '') return NO_EVENTS;
    let event: unknown;
    try {
      event = JSON.parse(data);
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
        this.close(`content ${index}`, events);
        break;
      case 'tool-plan-delta':
        this.text('plan', 'reasoning', textOf(message['tool_plan']), events);
        break;
      case 'tool-call-start':
      case 'tool-call-delta':
        this.toolCall(index, documentOf(message['tool_calls']), events);
        break;
      case 'tool-call-end':
        this.close(`call ${index}`, events);
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
    this.closeAll(events);
    events.push({ type: 'reply-end', finish: this.finishReason ?? { unified: 'other', raw: undefined } });
    return events;
  }

  private content(index: number, value: unknown, events: StreamEvent[]): void {
    const part = documentOf(value);
    this.text(`content ${index}`, 'reasoning', textOf(part['thinking']), events);
    this.text(`content ${index}`, 'text', textOf(part['text']), events);
  }

  private text(
    key: string,
    kind: 'text' | 'reasoning',
    text: string | undefined,
    events: StreamEvent[],
  ): void {
    if (text === undefined) return;
    let open = this.open.get(key);
    if (open?.kind !== kind) {
      this.closeAll(events);
      open = this.openBlock(key, kind);
    }
    if (kind === 'text') this.lastText = open.block;
    events.push({
      type: kind === 'text' ? 'text-delta' : 'reasoning-delta',
      block: open.block,
      choice: 0,
      text,
    });
  }

  private toolCall(index: number, call: Document, events: StreamEvent[]): void {
    const body = documentOf(call['function']);
    const key = `call ${index}`;
    let open = this.open.get(key);
    if (open === undefined) {
      this.closeAll(events);
      open = this.openBlock(key, 'tool-call');
      const callId = textOf(call['id']) ?? '';
      const name = textOf(body['name']) ?? '';
      events.push({ type: 'tool-input-start', block: open.block, choice: 0, callId, name });
    }
    const json = isDocument(body['arguments']) ? readArguments(body['arguments']) : textOf(body['arguments']);
    if (json === undefined) return;
    open.hasInput = true;
    events.push({ type: 'tool-input-delta', block: open.block, choice: 0, json });
  }

  private end(delta: Document, events: StreamEvent[]): void {
    this.closeAll(events);
    const usage = readUsage(delta['usage'], 'shown');
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    const reason = textOf(delta['finish_reason']);
    if (reason === undefined) return;
    this.finishReason = readFinishReason(reason);
    events.push({ type: 'choice-end', choice: 0, finish: this.finishReason });
  }

  private openBlock(key: string, kind: OpenBlock['kind']): OpenBlock {
    const open: OpenBlock = { block: this.nextBlock, kind, hasInput: false };
    this.nextBlock += 1;
    this.open.set(key, open);
    return open;
  }

  private close(key: string, events: StreamEvent[]): void {
    const open = this.open.get(key);
    if (open === undefined) return;
    this.open.delete(key);
    if (open.kind === 'tool-call' && !open.hasInput)
      events.push({ type: 'tool-input-delta', block: open.block, choice: 0, json: '{}' });
    events.push({ type: 'block-end', block: open.block, choice: 0 });
  }

  private closeAll(events: StreamEvent[]): void {
    for (const key of this.open.keys()) this.close(key, events);
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
