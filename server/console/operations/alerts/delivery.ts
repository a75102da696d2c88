/** Result of sending. */
export interface Delivery {
  /** Number of recipients that were reached. */
  readonly reached: number;
  /** Reasons the others were not reached, without secrets and addresses; empty = all were. */
  readonly fault: string;
}

export const sumOf = (left: Delivery, right: Delivery): Delivery => ({
  reached: left.reached + right.reached,
  fault: [...new Set([left.fault, right.fault])].filter(Boolean).join('; '),
});
