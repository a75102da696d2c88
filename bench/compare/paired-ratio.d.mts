/** One figure of two builds, of neighbouring slices; both above 0. */
export interface Pair {
  readonly own: number;
  readonly other: number;
}

export interface PairedRatio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly ofLowerQuartiles: number;
  readonly ofMinima: number;
  readonly pairs: number;
}

export function pairedRatio(pairs: readonly Pair[]): PairedRatio;
export function isKnown(ratio: Pick<PairedRatio, 'low' | 'high'>, tolerance: number): boolean;
