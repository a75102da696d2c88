import type { Source } from '../../../model/content.js';
import type { StreamEvent } from '../../../model/stream-event.js';
import { textOf, type Document } from '../../../formats/shared/fields/json-fields.js';
import { OneAnswerReader, type ReplyHead } from '../../../formats/shared/replies/one-answer-reader.js';
import { readDocuments } from './read-documents.js';

const FINISH = { unified: 'stop', raw: undefined } as const;

/** Frames of a library's stream → neutral events. */
export class LibraryReplyReader extends OneAnswerReader {
  /** Frames name their documents again and again. */
  private readonly sources = new Map<string, Source>();

  protected override head(): ReplyHead {
    return {};
  }

  protected override frame(frame: Document, events: StreamEvent[]): void {
    if (this.finishReason !== undefined) return;
    for (const source of readDocuments(frame))
      this.sources.set(JSON.stringify([source.url, source.title, source.quote]), source);
    this.parts.addText('text', textOf(frame['content']), events);
    if (frame['finish'] !== true) return;
    this.close(events);
    this.end(FINISH, events);
  }

  protected override close(events: StreamEvent[]): void {
    const block = this.parts.last;
    for (const source of this.sources.values()) events.push({ type: 'source', block, choice: 0, source });
    this.sources.clear();
    super.close(events);
  }
}
