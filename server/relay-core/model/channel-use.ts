/** Use of one attempt, at its most or as it was. Whole numbers, never below 0. */
export interface AttemptUse {
  /** Quota units. */
  readonly quota: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Measures of limits that settlements add to. */
export type SettledMeasure = 'quota' | 'tokens' | 'input_tokens' | 'output_tokens';

/** Limits of a channel that a charge counts under, as its records name them: limit, start of the period in milliseconds, measure. */
export interface ChannelMarks {
  /** Boot id of the worker that admitted the attempt. */
  readonly owner: string;
  readonly limits: readonly (readonly [limitId: number, periodStartMs: number, measure: SettledMeasure])[];
}

/** Use by a measure of settlements; 0 for the others. */
export function usedOf(measure: string, { quota, inputTokens, outputTokens }: AttemptUse): number {
  switch (measure) {
    case 'quota':
      return quota;
    case 'tokens':
      return inputTokens + outputTokens;
    case 'input_tokens':
      return inputTokens;
    case 'output_tokens':
      return outputTokens;
    default:
      return 0;
  }
}
