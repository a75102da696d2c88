import type { CallLimits } from './call-limits.js';
import type { CallFigures } from './limit-marks.js';
import type { LimitedCaller } from './match-limits.js';

/** Limits of calls, as admission asks for them. */
export interface LimitSource {
  /** True when no call is limited. */
  readonly isEmpty: boolean;
  /** Time by the database's clock, milliseconds. */
  nowMs(): number;
  /** Limits of a call; undefined = none. @param needed  its worst case */
  limitsOf(caller: LimitedCaller, model: string, needed: CallFigures): CallLimits | undefined;
}
