/** What became of telling. */
export interface Delivery {
  /** Receivers that were reached. */
  readonly reached: number;
  /** Why others were not, without secrets and addresses; empty = all were. */
  readonly fault: string;
}

export const sumOf = (left: Delivery, right: Delivery): Delivery => ({
  reached: left.reached + right.reached,
  fault: [...new Set([left.fault, right.fault])].filter(Boolean).join('; '),
});
