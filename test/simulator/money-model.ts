/** Possible cost of a call, seen from outside; null = there must be no charge. */
export type Cost = number | null;

/** One call as its client and its worker saw it. */
export class ModelCall {
  /** Charges that agree with what was seen. More than one only when the worker died before it said how the call ended. */
  readonly costs = new Set<Cost>([null]);

  constructor(
    readonly callId: string,
    readonly userId: number,
    /** Set for a limited token. */
    readonly limitedTokenId: number | null,
  ) {}

  /** The record that it goes upstream is being written. */
  dispatching(promptCost: number): void {
    this.costs.add(promptCost);
  }

  /** The record is on the spool: from now on it costs something, whatever happens. */
  dispatched(): void {
    this.costs.delete(null);
  }

  /** A checkpoint, or an unconfirmed end. */
  mayCost(cost: Cost): void {
    this.costs.add(cost);
  }

  /** Its client got the end, or its worker lived long enough to record it. */
  ended(cost: Cost): void {
    this.costs.clear();
    this.costs.add(cost);
  }
}

/** A movement of money that may be tried several times and must happen once. */
export class ModelMovement {
  /** A caller got the confirmation. */
  isConfirmed = false;
  /** Tries without an answer, so far or for ever: it may have happened. */
  openTries = 0;

  constructor(
    readonly table: 'ledger' | 'token_grants',
    readonly kind: string,
    readonly ref: string,
    /** Owner; null = the first to take it. */
    readonly ownerId: number | null,
    /** Null = decided by the product at that moment. */
    readonly amount: number | null,
  ) {}

  /** Accounts that were confirmed as its taker. */
  readonly winners: number[] = [];
}

/** Everything the simulator tried, and the answers. Plain sums; it knows nothing of pools, holds or reservations. */
export class MoneyModel {
  readonly calls = new Map<string, ModelCall>();
  private readonly movements = new Map<string, ModelMovement>();

  call(callId: string, userId: number, limitedTokenId: number | null): ModelCall {
    const call = new ModelCall(callId, userId, limitedTokenId);
    this.calls.set(callId, call);
    return call;
  }

  movement(input: Pick<ModelMovement, 'table' | 'kind' | 'ref' | 'ownerId' | 'amount'>): ModelMovement {
    const key = `${input.table} ${input.kind} ${input.ref}`;
    let movement = this.movements.get(key);
    if (movement === undefined) {
      movement = new ModelMovement(input.table, input.kind, input.ref, input.ownerId, input.amount);
      this.movements.set(key, movement);
    }
    return movement;
  }

  /** One try. A try without a result stays open. Fails: with the error of `move`; then the try stays open too. */
  async attempt(movement: ModelMovement, ownerId: number, move: () => Promise<boolean>): Promise<void> {
    movement.openTries += 1;
    const isNew = await move();
    movement.openTries -= 1;
    if (!isNew) return;
    movement.isConfirmed = true;
    movement.winners.push(ownerId);
  }

  movementOf(table: string, kind: string, ref: string): ModelMovement | undefined {
    return this.movements.get(`${table} ${kind} ${ref}`);
  }

  allMovements(): IterableIterator<ModelMovement> {
    return this.movements.values();
  }
}
