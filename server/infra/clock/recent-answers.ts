import type { Clock } from '../../common/clock.js';

interface Entry<T> {
  readonly answer: Promise<T>;
  readonly forget: () => void;
}

/** Bounds of the cache: age and number of answers. */
export interface AnswerLimits<T> {
  readonly maxAgeMs: number;
  readonly maxEntries: number;
  /** Answers too large to be kept; absent = all are. They are still shared by those who ask while one is made. */
  readonly isKept?: (answer: T) => boolean;
}

/** Short-lived cache of expensive answers: equal questions share one answer, also while it is being made. */
export class RecentAnswers<T> {
  private readonly entries = new Map<string, Entry<T>>();

  constructor(
    private readonly clock: Clock,
    private readonly limits: AnswerLimits<T>,
  ) {}

  /** Returns true when the answer is cached. */
  has(question: string): boolean {
    return this.entries.has(question);
  }

  /**
   * @param ask  makes the answer; not called while there is one
   * Fails: with what `ask` fails with; a failure is not kept.
   */
  async of(question: string, ask: () => Promise<T>): Promise<T> {
    const known = this.entries.get(question);
    if (known !== undefined) return known.answer;
    const answer = ask();
    const entry: Entry<T> = {
      answer,
      forget: this.clock.after(this.limits.maxAgeMs, () => this.drop(question, entry)),
    };
    this.entries.set(question, entry);
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.limits.maxEntries && oldest !== undefined) this.drop(oldest);
    try {
      const made = await answer;
      if (this.limits.isKept?.(made) === false) this.drop(question, entry);
      return made;
    } catch (error) {
      this.drop(question, entry);
      throw error;
    }
  }

  /** @param only  nothing is dropped when another entry has taken its place */
  private drop(question: string, only?: Entry<T>): void {
    const entry = this.entries.get(question);
    if (entry === undefined || (only !== undefined && entry !== only)) return;
    entry.forget();
    this.entries.delete(question);
  }
}
