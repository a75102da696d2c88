/** A sentence of a report or of a failed run in both languages. `{name}` marks are filled in. */
export interface SentenceRow {
  readonly en: string;
  readonly zh: string;
}
