import type { Shape } from './shape.ts';

export type Player = 'user' | 'admin' | 'root';

/** A request of a console of this family as of May 2025, and the members it reads of the answer. */
export interface OlderCall {
  /** `{name}` in the query, the path and the body is filled in: see `Given` in the test, and `keeps`. */
  readonly call: string;
  readonly query?: string;
  readonly sends?: unknown;
  /** The lowest role it is for: those below are refused in the envelope. `guest` needs no login. */
  readonly from: Player | 'guest';
  readonly reads?: Shape;
  /** Values kept for later calls: name → path in the answer. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** It is answered with a refusal in the envelope by design, to these or to all. */
  readonly refuses?: true | readonly Player[];
  /** The answer has another form than the envelope. */
  readonly isBare?: true;
}
