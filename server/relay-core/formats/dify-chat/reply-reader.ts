import type { StreamEvent } from '../../model/stream-event.js';
import {
  documentOf,
  isDocument,
  textOf,
  type Document,
  wholeSecondsOf,
} from '../shared/fields/json-fields.js';
import type { ReplyReader } from '../contract/api-format.js';
import { OpenParts } from '../shared/replies/open-parts.js';
import { readResources, textOfOutputs } from './read-outputs.js';
import { ThoughtSplitter } from './thoughts.js';
import { readUsage } from './usage.js';

const FINISH = { unified: 'stop', raw: undefined } as const;

/** Frames of a Dify stream → neutral events. What a workflow does inside is not part of the answer. */
export class DifyReplyReader implements ReplyReader {
  private readonly splitter = new ThoughtSplitter();
  private readonly parts = new OpenParts();
  private hasStarted = false;
  private hasText = false;
  private isEnded = false;
  private isOver = false;

  read(data: string): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    let frame: unknown;
    try {
      frame = JSON.parse(data);
    } catch {
      // Malformed frames are skipped; the meter counts them and ends the stream after three.
      return NO_EVENTS;
    }
    if (!isDocument(frame)) return NO_EVENTS;
    const events: StreamEvent[] = [];
    this.start(frame, events);
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
        this.end(documentOf(frame['metadata']), events);
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
    // Workflows end without a word of their own.
    if (!this.isEnded) this.end({}, events);
    events.push({ type: 'reply-end', finish: FINISH });
    return events;
  }

  private start(frame: Document, events: StreamEvent[]): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    const createdAtSeconds = wholeSecondsOf(frame['created_at']);
    events.push({
      type: 'reply-start',
      id: textOf(frame['message_id']) ?? textOf(frame['workflow_run_id']) ?? '',
      servedModel: '',
      ...(createdAtSeconds === undefined ? {} : { createdAtSeconds }),
    });
  }

  private text(text: string | undefined, events: StreamEvent[]): void {
    if (text === undefined || text === '') return;
    this.hasText = true;
    this.pieces(this.splitter.push(text), events);
  }

  private pieces(pieces: ReturnType<ThoughtSplitter['push']>, events: StreamEvent[]): void {
    for (const { isThought, text } of pieces)
      this.parts.words(isThought ? 'reasoning' : 'text', text, events);
  }

  private end(metadata: Document, events: StreamEvent[]): void {
    this.isEnded = true;
    this.pieces(this.splitter.finish(), events);
    const block = this.parts.last;
    for (const source of readResources(metadata)) events.push({ type: 'source', block, choice: 0, source });
    this.parts.closeAll(events);
    const usage = readUsage(metadata['usage']);
    if (usage !== undefined && usage !== 'invalid') events.push({ type: 'usage', usage });
    events.push({ type: 'choice-end', choice: 0, finish: FINISH });
  }
}

const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
