import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { documentOf, isDocument, numberOf, textOf, type Document } from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { readFinishReason } from './finish-reason.js';
import { readCitation, readStopSequence } from './read-reply.js';
import { readUsage } from './usage.js';

type Kind = 'text' | 'reasoning' | 'tool-call';
interface OpenBlock {
  readonly block: number;
  readonly kind: Kind;
  /** A tool's input, or a bound answer, wrote something. */
  hasInput: boolean;
  /** The tool's input is the answer itself. */
  readonly isAnswer: boolean;
}

/** Frames of a ConverseStream → neutral events. */
export class ConverseReplyReader implements ReplyReader {
  /** By the vendor's index. */
  private readonly open = new Map<number, OpenBlock>();
  private nextBlock = 0;
  private hasStarted = false;
  private isOver = false;
  private calls = 0;
  private answers = 0;
  private finishReason: FinishReason | undefined;

  /** @param answerTool  name of the tool a bound answer comes by */
  constructor(private readonly answerTool: string | undefined) {}

  read(data: string, name: string): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    let document: unknown;
    try {
      document = JSON.parse(data);
    } catch {
      // Malformed frames are skipped; the meter counts them and ends the stream after three.
      return NO_EVENTS;
    }
    if (!isDocument(document)) return NO_EVENTS;
    const events: StreamEvent[] = [];
    this.start(events);
    switch (name) {
      case 'contentBlockStart':
        this.blockStart(document, events);
        break;
      case 'contentBlockDelta':
        this.delta(indexOf(document), documentOf(document['delta']), events);
        break;
      case 'contentBlockStop':
        this.close(indexOf(document), events);
        break;
      case 'messageStop':
        this.stop(document, events);
        break;
      case 'metadata': {
        const usage = readUsage(document['usage']);
        if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
        break;
      }
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

  private start(events: StreamEvent[]): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    events.push({ type: 'reply-start', id: '', servedModel: '' });
  }

  private blockStart(document: Document, events: StreamEvent[]): void {
    const use = documentOf(documentOf(document['start'])['toolUse']);
    const name = textOf(use['name']);
    // Text needs no start; a start without a tool says nothing.
    if (name === undefined) return;
    const index = indexOf(document);
    this.close(index, events);
    if (name === this.answerTool) {
      this.answers += 1;
      this.openBlock(index, 'text', true);
      return;
    }
    this.calls += 1;
    const { block } = this.openBlock(index, 'tool-call', false);
    events.push({
      type: 'tool-input-start',
      block,
      choice: 0,
      callId: textOf(use['toolUseId']) ?? '',
      name,
    });
  }

  private delta(index: number, delta: Document, events: StreamEvent[]): void {
    const text = textOf(delta['text']);
    if (text !== undefined) {
      const { block } = this.blockFor(index, 'text', events);
      events.push({ type: 'text-delta', block, choice: 0, text });
    }
    if (isDocument(delta['toolUse'])) this.toolInput(index, textOf(delta['toolUse']['input']), events);
    if (isDocument(delta['reasoningContent'])) this.reasoning(index, delta['reasoningContent'], events);
    if (isDocument(delta['citation'])) {
      const { block } = this.blockFor(index, 'text', events);
      events.push({ type: 'source', block, choice: 0, source: readCitation(delta['citation']) });
    }
  }

  private toolInput(index: number, json: string | undefined, events: StreamEvent[]): void {
    const open = this.open.get(index);
    if (open === undefined || json === undefined) return;
    open.hasInput = true;
    if (open.isAnswer) events.push({ type: 'text-delta', block: open.block, choice: 0, text: json });
    else if (open.kind === 'tool-call')
      events.push({ type: 'tool-input-delta', block: open.block, choice: 0, json });
  }

  private reasoning(index: number, content: Document, events: StreamEvent[]): void {
    const { block } = this.blockFor(index, 'reasoning', events);
    const text = textOf(content['text']);
    if (text !== undefined) {
      events.push({ type: 'reasoning-delta', block, choice: 0, text, proofBy: 'anthropic' });
    }
    const signature = textOf(content['signature']);
    if (signature !== undefined) {
      const proof = { by: 'anthropic', data: signature } as const;
      events.push({ type: 'block-proof', block, choice: 0, proof, of: 'reasoning' });
    }
    const redacted = textOf(content['redactedContent']);
    if (redacted !== undefined) {
      const proof = { by: 'anthropic', data: redacted } as const;
      events.push({ type: 'block-proof', block, choice: 0, proof, of: 'reasoning', isRedacted: true });
    }
  }

  private stop(document: Document, events: StreamEvent[]): void {
    const reason = textOf(document['stopReason']);
    if (reason === undefined || this.finishReason !== undefined) return;
    this.closeAll(events);
    const answersByTool = this.answers > 0 && this.calls === 0;
    this.finishReason = readFinishReason(reason, readStopSequence(document), answersByTool);
    events.push({ type: 'choice-end', choice: 0, finish: this.finishReason });
  }

  private blockFor(index: number, kind: Kind, events: StreamEvent[]): OpenBlock {
    const open = this.open.get(index);
    if (open?.kind === kind) return open;
    this.close(index, events);
    return this.openBlock(index, kind, false);
  }

  private openBlock(index: number, kind: Kind, isAnswer: boolean): OpenBlock {
    const open: OpenBlock = { block: this.nextBlock, kind, hasInput: false, isAnswer };
    this.nextBlock += 1;
    this.open.set(index, open);
    return open;
  }

  private close(index: number, events: StreamEvent[]): void {
    const open = this.open.get(index);
    if (open === undefined) return;
    this.open.delete(index);
    // A tool without arguments writes nothing; its arguments are still an object.
    if (!open.hasInput && open.kind === 'tool-call') {
      events.push({ type: 'tool-input-delta', block: open.block, choice: 0, json: '{}' });
    } else if (!open.hasInput && open.isAnswer) {
      events.push({ type: 'text-delta', block: open.block, choice: 0, text: '{}' });
    }
    events.push({ type: 'block-end', block: open.block, choice: 0 });
  }

  private closeAll(events: StreamEvent[]): void {
    for (const index of this.open.keys()) this.close(index, events);
  }
}

const indexOf = (document: Document): number => numberOf(document['contentBlockIndex']) ?? 0;
const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
