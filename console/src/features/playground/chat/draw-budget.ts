/** Drawing that takes less is not noticed beside what the reader does. */
const TARGET_MS = 40;
const FIRST_CHARACTERS = 240;
const MIN_CHARACTERS = 120;
const MAX_CHARACTERS = 20_000;
/** Pause after slow drawing, as a share of its time. */
const REST_SHARE = 0.5;

/** Limit of the text that one drawing adds, by the time the last ones took. */
export class DrawBudget {
  /** Characters of the next drawing. */
  characters = FIRST_CHARACTERS;
  /** Pause before the next drawing. */
  restMs = 0;

  /**
   * Counts one drawing.
   * @param tookMs  from its beginning until the frame was on screen
   * @param drawn  characters it added
   */
  count(tookMs: number, drawn: number): void {
    this.restMs = tookMs > TARGET_MS ? tookMs * REST_SHARE : 0;
    if (tookMs > TARGET_MS) this.characters = Math.max(MIN_CHARACTERS, Math.floor(this.characters / 2));
    // A short piece proves nothing about a long one.
    else if (tookMs < TARGET_MS / 2 && drawn >= this.characters)
      this.characters = Math.min(MAX_CHARACTERS, Math.ceil(this.characters * 1.25));
  }
}
