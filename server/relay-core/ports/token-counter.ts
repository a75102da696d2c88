export abstract class TokenCounter {
  /** Cheap estimate from characters; never blocks. */
  abstract estimate(text: string, model: string): number;
  /** Real tokeniser off the main thread with a time budget; falls back to the estimate. */
  abstract count(text: string, model: string): Promise<number>;
}
