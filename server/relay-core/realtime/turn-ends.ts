import { PCM_BYTES_PER_SECOND } from './sound-length.js';

/** Turns that wait for an answer, where sound was sent ahead. */
const MAX_TURNS = 64;
/** A tenth of a second: no vendor takes less for a turn. */
const SHORTEST_TURN_BYTES = PCM_BYTES_PER_SECOND / 10;

/** Turns of a session that the vendor answers by itself, in bytes of all sound. */
export class TurnEnds {
  /** Bytes of sound when the vendor last began a response by itself. */
  private answeredBytes = 0;
  /** Ends of turns without an answer. */
  private readonly ends: number[] = [];

  /** The vendor detected the end of a turn. */
  add(end: number): void {
    const last = this.ends.at(-1) ?? this.answeredBytes;
    if (this.isTurn(last, end) && this.ends.length < MAX_TURNS) this.ends.push(end);
  }

  /** The end of the first turn that has no answer; without one, all input so far. */
  next(heardBytes: number): number {
    while ((this.ends[0] ?? Number.POSITIVE_INFINITY) <= this.answeredBytes) this.ends.shift();
    return this.ends[0] ?? heardBytes;
  }

  /** True when the sound since the last answer is enough for a turn. */
  isLongEnough(until: number): boolean {
    return this.isTurn(this.answeredBytes, until);
  }

  /** The vendor answers the sound so far. */
  answered(until: number): void {
    this.answeredBytes = until;
  }

  private isTurn(from: number, until: number): boolean {
    return until - from >= SHORTEST_TURN_BYTES;
  }
}
