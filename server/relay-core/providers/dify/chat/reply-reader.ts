import type { StreamEvent } from '../../../model/stream-event.js';
import {
  documentOf,
  textOf,
  type Document,
  wholeSecondsOf,
} from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { readResources, textOfOutputs } from './read-outputs.js';
import { ThoughtSplitter } from './thoughts.js';
import { readUsage } from './usage.js';

const FINISH = { unified: 'stop', raw: undefined } as const;

/** Frames of a Dify stream → neutral events. What a workflow does inside is not part of the answer. */
export class DifyReplyReader extends OneAnswerReader {
  private readonly splitter = new ThoughtSplitter();
  private hasText = false;

  protected override head(frame: Document): ReplyHead {
    return {
      id: textOf(frame['message_id']) ?? textOf(frame['workflow_run_id']),
      createdAtSeconds: wholeSecondsOf(frame['created_at']),
    };
  }

  protected override frame(frame: Document, events: StreamEvent[]): void {
    switch (frame['event']) {
      case 'message':
      case 'agent_message':
        this.text(textOf(frame['answer']), events);
        break;
      case 'text_chunk':
        this.text(textOf(documentOf(frame['data'])['text']), events);
        break;
      case 'workflow_finished':
        if (!this.hasText) this.text(textOfOutputs(documentOf(frame['data'])['outputs']), events);
        break;
      case 'message_end':
        this.finishAnswer(documentOf(frame['metadata']), events);
        break;
      default:
        break;
    }
  }

  /** Workflows end without a word of their own. */
  protected override close(events: StreamEvent[]): void {
    if (this.finishReason === undefined) this.finishAnswer({}, events);
  }

  private text(text: string | undefined, events: StreamEvent[]): void {
    if (text === undefined || text === '') return;
    this.hasText = true;
    this.pieces(this.splitter.push(text), events);
  }

  private pieces(pieces: ReturnType<ThoughtSplitter['push']>, events: StreamEvent[]): void {
    for (const { isThought, text } of pieces)
      this.parts.addText(isThought ? 'reasoning' : 'text', text, events);
  }

  private finishAnswer(metadata: Document, events: StreamEvent[]): void {
    this.pieces(this.splitter.finish(), events);
    const block = this.parts.last;
    for (const source of readResources(metadata)) events.push({ type: 'source', block, choice: 0, source });
    this.parts.closeAll(events);
    this.report(readUsage(metadata['usage']), events);
    this.end(FINISH, events);
  }
}
