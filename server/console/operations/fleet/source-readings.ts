import type { Rule } from '../model/finding.js';

/** Reads of several sources at once: what fails is missing and named, and keeps no other from being read. */
export class SourceReadings {
  readonly unread = new Map<Rule, string>();
  private answers = 0;
  private firstFault: unknown;

  /**
   * @param rules    which cannot be evaluated without this source
   * @param missing  what stands for it when it cannot be read
   */
  async read<T>(rules: readonly Rule[], ask: () => Promise<T>, missing: T): Promise<T> {
    try {
      const value = await ask();
      this.answers += 1;
      return value;
    } catch (error) {
      this.firstFault ??= error;
      for (const rule of rules) this.unread.set(rule, String(error));
      return missing;
    }
  }

  /** Fails: with the first fault, when no source at all could be read. */
  throwIfAllFailed(): void {
    if (this.answers === 0 && this.firstFault !== undefined) throw this.firstFault;
  }
}
