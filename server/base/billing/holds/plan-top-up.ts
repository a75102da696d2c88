/** A call that found too little in its pools. */
export interface Demand {
  readonly tokenId: number | null;
  readonly amount: number;
  /** A call that accepts less may be given as little as this. */
  readonly minimum: number;
}

export interface Refusal {
  readonly kind: 'refused';
  readonly scope: 'user' | 'token';
}

/** For an account that may not be used at all. */
export const REFUSED: Refusal = { kind: 'refused', scope: 'user' };

export type Verdict = { readonly kind: 'granted'; readonly amount: number } | Refusal;

export interface TopUpPlan {
  /** In the order of the demands. */
  readonly verdicts: readonly Verdict[];
  /** To move from the account into its pool. */
  readonly userMove: number;
  readonly tokenMoves: ReadonlyMap<number, number>;
}

/** The spare amount is at most this part of what the balance has beyond the demand, so a pool never strands a balance. */
const SPARE_PART = 8;
/** Below this many times the demand the balance is small: exactly the shortfall moves. */
const SMALL_BALANCE_FACTOR = 32;

/**
 * Divides what an account has among the calls that wait for it, first come first served; a call that does not fit lets a
 * smaller one behind it pass. Pure.
 * @param available  balance above the floor
 * @param rest  what the pool has left
 * @param chunk  amount worth keeping in the pool, from recent spend; 0 near the floor
 */
export function planTopUp(input: {
  readonly demands: readonly Demand[];
  readonly available: number;
  readonly rest: number;
  readonly tokens: ReadonlyMap<number, { readonly available: number; readonly rest: number }>;
  readonly chunk: number;
}): TopUpPlan {
  const { demands, available, rest, tokens, chunk } = input;
  let userLeft = Math.max(0, available) + rest;
  const tokenLeft = new Map(
    [...tokens].map(([id, token]) => [id, Math.max(0, token.available) + token.rest]),
  );
  const tokenGranted = new Map<number, number>();
  let granted = 0;
  const verdicts = demands.map((demand): Verdict => {
    const fromToken = demand.tokenId === null ? Infinity : (tokenLeft.get(demand.tokenId) ?? 0);
    const amount = Math.min(demand.amount, userLeft, fromToken);
    if (amount < demand.amount && amount < demand.minimum) {
      return { kind: 'refused', scope: userLeft < demand.minimum ? 'user' : 'token' };
    }
    granted += amount;
    userLeft -= amount;
    if (demand.tokenId !== null) {
      tokenLeft.set(demand.tokenId, fromToken - amount);
      tokenGranted.set(demand.tokenId, (tokenGranted.get(demand.tokenId) ?? 0) + amount);
    }
    return { kind: 'granted', amount };
  });
  const move = (need: number, from: number, inPool: number): number => {
    // Without a grant an overdrawn pool is not filled up for its own sake.
    if (need === 0) return 0;
    const shortfall = Math.max(0, need - inPool);
    const beyond = Math.max(0, from) - shortfall;
    const isSmall = from < SMALL_BALANCE_FACTOR * Math.max(1, need);
    const spare = isSmall ? 0 : Math.min(chunk, Math.floor(beyond / SPARE_PART));
    return shortfall + Math.max(0, spare);
  };
  const tokenMoves = new Map<number, number>();
  for (const [id, need] of tokenGranted) {
    const token = tokens.get(id);
    if (token !== undefined) tokenMoves.set(id, move(need, token.available, token.rest));
  }
  return { verdicts, userMove: move(granted, available, rest), tokenMoves };
}
