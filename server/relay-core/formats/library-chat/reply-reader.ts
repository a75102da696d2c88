import type { Source } from '../../model/content.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { ReplyReader } from '../contract/api-format.js';
import { parseDocument, textOf } from '../shared/fields/json-fields.js';
import { OpenParts } from '../shared/replies/open-parts.js';
import { readDocuments } from './read-documents.js';

const FINISH = { unified: 'stop', raw: undefined } as const;

/** Frames of a library's stream → neutral events. */
export class LibraryReplyReader implements ReplyReader {
  private readonly parts = new OpenParts();
  /** Frames name their documents again and again. */
  private readonly sources = new Map<string, Source>();
  private hasStarted = false;
  private isEnded = false;
  private isOver = false;

  read(data: string): readonly StreamEvent[] {
    if (this.isOver || this.isEnded) return NO_EVENTS;
    // Malformed frames are skipped; the meter counts them and ends the stream after three.
    const frame = parseDocument(data);
    if (frame === undefined) return NO_EVENTS;
    const events: StreamEvent[] = [];
    if (!this.hasStarted) {
      this.hasStarted = true;
      events.push({ type: 'reply-start', id: '', servedModel: '' });
    }
    for (const source of readDocuments(frame))
      this.sources.set(JSON.stringify([source.url, source.title, source.quote]), source);
    this.parts.words('text', textOf(frame['content']), events);
    if (frame['finish'] === true) {
      this.isEnded = true;
      this.end(events);
      events.push({ type: 'choice-end', choice: 0, finish: FINISH });
    }
    return events;
  }

  finish(): readonly StreamEvent[] {
    if (this.isOver) return NO_EVENTS;
    this.isOver = true;
    const events: StreamEvent[] = [];
    this.end(events);
    events.push({ type: 'reply-end', finish: this.isEnded ? FINISH : UNSAID });
    return events;
  }

  private end(events: StreamEvent[]): void {
    const block = this.parts.last;
    for (const source of this.sources.values()) events.push({ type: 'source', block, choice: 0, source });
    this.sources.clear();
    this.parts.closeAll(events);
  }
}

const UNSAID = { unified: 'other', raw: undefined } as const;
const NO_EVENTS: readonly StreamEvent[] = Object.freeze([]);
