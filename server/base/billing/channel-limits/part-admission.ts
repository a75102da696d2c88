import type { AttemptUse, ChannelMarks, SettledMeasure } from '../../../relay-core/model/channel-use.js';
import type { ChannelAdmission } from '../../../relay-core/ports/channel-limits.js';
import { usedOf } from '../../../relay-core/model/channel-use.js';
import type { LimitMeasure } from '../../limits/limit-definition.js';
import type { LimitParts } from './limit-parts.js';
import type { PartWindow } from './part-window.js';

/** Taken from one window by an attempt. */
export interface TakenPart {
  readonly window: PartWindow;
  taken: number;
}

const ATTEMPT_MEASURES: ReadonlySet<LimitMeasure> = new Set(['requests', 'in_flight']);

/** Most that an attempt counts by a measure. */
export const needOf = (measure: LimitMeasure, most: AttemptUse): number =>
  ATTEMPT_MEASURES.has(measure) ? 1 : usedOf(measure, most);

/** Parts an attempt has taken from the limits of its channel. */
export class PartAdmission implements ChannelAdmission {
  readonly marks: ChannelMarks | undefined;
  private isSent = false;
  private isOver = false;

  constructor(
    private readonly parts: LimitParts,
    private readonly taken: readonly TakenPart[],
    owner: string,
  ) {
    const limits = taken
      .filter(({ window }) => !ATTEMPT_MEASURES.has(window.limit.measure))
      .map(
        ({ window: { limit, startsAtMs } }) =>
          [limit.id, startsAtMs, limit.measure as SettledMeasure] as const,
      );
    this.marks = limits.length === 0 ? undefined : { owner, limits };
  }

  /** Growth that one limit granted stays with the attempt when another one refuses. */
  async grow(by: AttemptUse): Promise<boolean> {
    for (const part of this.taken) {
      const { measure } = part.window.limit;
      const more = ATTEMPT_MEASURES.has(measure) ? 0 : usedOf(measure, by);
      if (more === 0) continue;
      if (!(await this.parts.grow(part.window, more))) return false;
      // The attempt may have ended meanwhile.
      if (this.isOver) {
        part.window.room += more;
        return false;
      }
      part.taken += more;
    }
    return true;
  }

  markSent(): void {
    this.isSent = true;
  }

  settle(used: AttemptUse): void {
    this.end((part) => part.taken - usedOf(part.window.limit.measure, used));
  }

  count(used: AttemptUse): void {
    this.end((part) => {
      const amount = usedOf(part.window.limit.measure, used);
      this.parts.spend(part.window, amount, 1);
      return part.taken - amount;
    });
  }

  release(): void {
    this.end((part) => part.taken);
  }

  private end(unusedOf: (part: TakenPart) => number): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const part of this.taken) this.parts.end(part.window, this.unused(part, unusedOf));
  }

  private unused(part: TakenPart, unusedOf: (part: TakenPart) => number): number {
    const { measure } = part.window.limit;
    if (measure === 'in_flight') return part.taken;
    if (measure !== 'requests') return unusedOf(part);
    if (!this.isSent) return part.taken;
    this.parts.spend(part.window, part.taken, 1);
    return 0;
  }
}
