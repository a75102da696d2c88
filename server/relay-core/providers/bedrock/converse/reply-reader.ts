import type { StreamEvent } from '../../../model/stream-event.js';
import {
  documentOf,
  isDocument,
  numberOf,
  textOf,
  type Document,
} from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { readFinishReason } from './finish-reason.js';
import { readCitation, readStopSequence } from './read-reply.js';
import { readUsage } from './usage.js';

/** Frames of a ConverseStream → neutral events. Parts go by the vendor's index. */
export class ConverseReplyReader extends OneAnswerReader {
  private calls = 0;
  private answers = 0;

  /** @param answerTool  name of the tool a bound answer comes by */
  constructor(private readonly answerTool: string | undefined) {
    super(true);
  }

  protected override head(): ReplyHead {
    return {};
  }

  protected override frame(document: Document, events: StreamEvent[], name: string): void {
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
      case 'metadata':
        this.report(readUsage(document['usage']), events);
        break;
      default:
        break;
    }
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
    this.parts.addText('text', textOf(delta['text']), events, index);
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
      events.push({ type: 'reasoning-delta', block, choice: 0, text, signatureBy: 'anthropic' });
    }
    const data = textOf(content['signature']);
    if (data !== undefined) {
      const signature = { by: 'anthropic', data } as const;
      events.push({ type: 'block-signature', block, choice: 0, signature, of: 'reasoning' });
    }
    const redacted = textOf(content['redactedContent']);
    if (redacted !== undefined) {
      const signature = { by: 'anthropic', data: redacted } as const;
      events.push({
        type: 'block-signature',
        block,
        choice: 0,
        signature,
        of: 'reasoning',
        isRedacted: true,
      });
    }
  }

  private stop(document: Document, events: StreamEvent[]): void {
    const reason = textOf(document['stopReason']);
    if (reason === undefined || this.finishReason !== undefined) return;
    this.close(events);
    const answersByTool = this.answers > 0 && this.calls === 0;
    this.end(readFinishReason(reason, readStopSequence(document), answersByTool), events);
  }
}

const indexOf = (document: Document): number => numberOf(document['contentBlockIndex']) ?? 0;
