export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before; the first since `startTime`. */
  readonly timeDeltas: readonly number[];
  /** Microseconds of the monotonic clock. */
  readonly startTime: number;
}

export interface Stretch {
  readonly fromUs: number;
  readonly toUs: number;
}

export function selfTimes(profile: CpuProfile, stretches: readonly Stretch[]): Map<string, number>;
export function perCall(
  times: ReadonlyMap<string, number>,
  cpuUsPerCall: number,
  newNames: ReadonlyMap<string, string>,
): Map<string, number>;
export function differencesBetween(
  own: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): { readonly name: string; readonly own: number; readonly other: number; readonly difference: number }[];
