import type { StreamEvent } from '../../model/stream-event.js';
import type { Document } from '../shared/fields/json-fields.js';
import { writeAnnotation } from './citations.js';
import { CHAT_FORMAT } from './id.js';

type Cited = Extract<StreamEvent, { type: 'source' }>;

/** A text of a stream, as it stands in the message. */
interface Text {
  readonly choice: number;
  readonly offset: number;
  length: number;
  isOver: boolean;
  /** Sources for all of it: they wait until its length is known. */
  readonly waiting: Cited[];
}

/** Sources that wait at most; more are emitted as they come. */
const MAX_WAITING = 200;

/** Places of the citations of a stream: this format joins all texts of an answer, and places are counted in the whole. */
export class CitationPlaces {
  private readonly texts = new Map<number, Text>();
  private readonly lengths = new Map<number, number>();
  private readonly counts = new Map<number, number>();
  private last: Text | undefined;
  private lastBlock = -1;

  grow({ block, choice = 0, text }: Extract<StreamEvent, { readonly text: string }>): void {
    if (this.last === undefined || this.lastBlock !== block) this.last = this.textOf(block, choice);
    this.lastBlock = block;
    this.last.length += text.length;
  }

  /** @returns the annotations to write now */
  add(event: Cited): readonly Document[] {
    const { block, choice = 0, source } = event;
    const text = this.textOf(block, choice);
    const isPlaced = source.end !== undefined || source.vendorOptions?.[CHAT_FORMAT] !== undefined;
    if (isPlaced || text.isOver || text.waiting.length >= MAX_WAITING) return [this.write(event, text)];
    text.waiting.push(event);
    return NOTHING;
  }

  end(block: number): readonly Document[] {
    const text = this.texts.get(block);
    if (text === undefined || text.isOver) return NOTHING;
    text.isOver = true;
    this.lengths.set(text.choice, text.offset + text.length);
    return text.waiting.splice(0).map((event) => this.write(event, text));
  }

  endAll(choice: number): readonly Document[] {
    const blocks = [...this.texts].filter(([, text]) => text.choice === choice && !text.isOver);
    return blocks.flatMap(([block]) => this.end(block));
  }

  private textOf(block: number, choice: number): Text {
    let text = this.texts.get(block);
    if (text === undefined) {
      text = { choice, offset: this.lengths.get(choice) ?? 0, length: 0, isOver: false, waiting: [] };
      this.texts.set(block, text);
    }
    return text;
  }

  /** Clients put lists in deltas together by `index`. */
  private write({ source }: Cited, text: Text): Document {
    const index = this.counts.get(text.choice) ?? 0;
    this.counts.set(text.choice, index + 1);
    return { index, ...writeAnnotation(source, text) };
  }
}

const NOTHING: readonly Document[] = Object.freeze([]);
