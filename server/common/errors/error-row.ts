/** A refusal of the console API: its HTTP status, and the sentence in both languages. `{name}` marks are filled in. */
export interface ErrorRow {
  /** Absent = 200: an envelope that says `success: false`. */
  readonly status?: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 429 | 431 | 500 | 503;
  readonly en: string;
  readonly zh: string;
}
