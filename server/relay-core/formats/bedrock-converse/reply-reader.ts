import { parseFrame } from '../../framing/exact-json.js';
import type { FinishReason } from '../../model/finish-reason.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { documentOf, isDocument, numberOf, textOf, type Document } from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { OpenParts } from '../shared/replies/open-parts.js';
import { readFinishReason } from './finish-reason.js';
import { readCitation, readStopSequence } from './read-reply.js';
import { readUsage } from './usage.js';

/** Frames of a ConverseStream → neutral events. */
export class ConverseReplyReader implements ReplyReader {
  /** By the vendor's index. */
  private readonly parts = new OpenParts(true);
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
      document = parseFrame(data);
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
        this.parts.close(indexOf(document), events);
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
    this.parts.closeAll(events);
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
    if (name === this.answerTool) {
      this.answers += 1;
      this.parts.begin(index, 'text', events, true);
      return;
    }
    this.calls += 1;
    this.parts.beginCall(index, { callId: textOf(use['toolUseId']) ?? '', name }, events);
  }

  private delta(index: number, delta: Document, events: StreamEvent[]): void {
    this.parts.words('text', textOf(delta['text']), events, index);
    if (isDocument(delta['toolUse'])) this.parts.input(index, textOf(delta['toolUse']['input']), events);
    if (isDocument(delta['reasoningContent'])) this.reasoning(index, delta['reasoningContent'], events);
    if (isDocument(delta['citation'])) {
      const { block } = this.parts.of(index, 'text', events);
      events.push({ type: 'source', block, choice: 0, source: readCitation(delta['citation']) });
    }
  }

  private reasoning(index: number, content: Document, events: StreamEvent[]): void {
    const { block } = this.parts.of(index, 'reasoning', events);
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
    this.parts.closeAll(events);
    const answersByTool = this.answers > 0 && this.calls === 0;
    this.finishReason = readFinishReason(reason, readStopSequence(document), answersByTool);
    events.push({ type: 'choice-end', choice: 0, finish: this.finishReason });
  }
}

const indexOf = (document: Document): number => numberOf(document['contentBlockIndex']) ?? 0;
const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
