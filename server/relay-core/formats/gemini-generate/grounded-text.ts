import type { Source } from '../../model/content.js';
import { writeGrounding } from './grounding.js';

/** Longest text whose sources come with their spans; of longer ones the pages are named only. */
const MAX_KEPT = 1_048_576;

/** The text of one answer with its sources: places in it are byte offsets, known when all of it is there. */
export class GroundedText {
  private text = '';
  private length = 0;
  private readonly places = new Map<number, { readonly from: number; to: number }>();
  private readonly sources: { readonly block: number; readonly source: Source }[] = [];
  private last: { readonly block: number; readonly place: { to: number } } | undefined;

  grow(block: number, text: string): void {
    if (this.last?.block !== block) {
      const place = this.places.get(block) ?? { from: this.length, to: this.length };
      this.places.set(block, place);
      this.last = { block, place };
    }
    this.length += text.length;
    this.last.place.to += text.length;
    if (this.length <= MAX_KEPT) this.text += text;
  }

  cite(block: number, source: Source): void {
    this.sources.push({ block, source });
  }

  /** Undefined = it has no sources. */
  write(): Record<string, unknown> | undefined {
    if (this.sources.length === 0) return undefined;
    const placed = this.sources.map(({ block, source }): Source => {
      const place = this.places.get(block);
      if (place === undefined) return source;
      const { from, to } = place;
      return { ...source, start: from + (source.start ?? 0), end: from + (source.end ?? to - from) };
    });
    return writeGrounding(placed, this.length <= MAX_KEPT ? this.text : undefined);
  }
}
