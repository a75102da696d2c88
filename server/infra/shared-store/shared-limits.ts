/** One limit that a call must fit into, as the store counts it. */
export interface LimitPart {
  /** Names the window: the limit, and its value where it applies to each. */
  readonly key: string;
  /** Calls of several accounts share the window. */
  readonly isShared: boolean;
  /** Start of the running period or bucket, milliseconds. */
  readonly field: number;
  /** Oldest start that counts, milliseconds; `field` itself for calendar periods. */
  readonly from: number;
  /** Amount the call takes, in the unit of the limit. */
  readonly need: number;
  /** The sum of all calls may reach this. */
  readonly amount: number;
  /** Time after which an unused window may be forgotten, milliseconds. */
  readonly ttlMs: number;
}

/** A call with the limits it is admitted under. */
export interface LimitedCall {
  readonly callId: string;
  readonly userId: number;
  /** Boot id of the worker. */
  readonly owner: string;
  readonly parts: readonly LimitPart[];
}

/** Part of a call in a window, as the registry has it. */
export interface HeldPart {
  readonly key: string;
  readonly isShared: boolean;
  readonly field: number;
  readonly need: number;
}

/** A call that holds room in windows, as the registry has it. */
export interface RegisteredLimits {
  readonly callId: string;
  readonly userId: number;
  readonly owner: string;
  readonly parts: readonly HeldPart[];
}

/** End of a limited call: what it used of each part. */
export interface LimitEnd {
  readonly callId: string;
  readonly userId: number;
  readonly parts: readonly { readonly key: string; readonly isShared: boolean; readonly used: number }[];
}

/** Growth of a running call in one window. */
export interface LimitGrowth extends Pick<LimitPart, 'key' | 'isShared' | 'field' | 'from' | 'amount'> {
  /** Below 0 gives back. */
  readonly by: number;
}

/** A value that asks for a window of its own. */
export interface LimitValue {
  readonly limitId: number;
  readonly userId: number;
  /** Start of the day in UTC, milliseconds. */
  readonly dayMs: number;
  readonly value: string;
}

/** Use of a window before this run of the store. */
export interface WindowUse extends Pick<LimitPart, 'key' | 'isShared' | 'ttlMs'> {
  readonly userId: number;
  /** Start of a period or bucket → use. */
  readonly uses: ReadonlyMap<number, number>;
}

/** The indexes of parts without room, or of windows this run of the store does not know. */
export type LimitVerdict =
  | { readonly kind: 'taken'; readonly sums: readonly number[] }
  | { readonly kind: 'limit-full'; readonly indexes: readonly number[] }
  | { readonly kind: 'limit-unknown'; readonly indexes: readonly number[] };

/**
 * Windows of limits: in each the sum of what calls use and hold. A call takes room with its hold (`SharedPools.place`). Windows of another run of
 * the store do not exist: they are filled from SQL before calls are admitted under them.
 */
export interface SharedLimits {
  /** Run of the store; undefined = not known. */
  readonly epoch: string | undefined;
  /** Corrects what ended calls took to what they used; idempotent per call. */
  settle(ends: readonly LimitEnd[]): Promise<void>;
  /** Takes more room for a running call, all parts or none. @returns index of the part without room; null = taken */
  grow(callId: string, userId: number, growth: readonly LimitGrowth[]): Promise<number | null>;
  /** Enters running calls into windows that are not filled yet; idempotent per call. Then records that this worker has entered all of its own. */
  restore(calls: readonly LimitedCall[], owner: string): Promise<void>;
  /** Workers that entered their calls in this run. */
  restoredOwners(): Promise<ReadonlySet<string>>;
  /** Calls that were entered by `restore` in this run, ended ones included. */
  restoredCalls(): Promise<readonly RegisteredLimits[]>;
  /** Fills a window of this run; one that is filled already stays as it is. @returns false when the store is another run by now */
  fill(window: WindowUse, epoch: string): Promise<boolean>;
  /** Enters a value among those that the limit and account have on the day. @returns false when they have `most` others */
  enterValue(value: LimitValue, most: number): Promise<boolean>;
  /** Adds a correction to a window of this run. */
  correct(
    window: Pick<LimitPart, 'key' | 'isShared' | 'field'> & { readonly userId: number; readonly by: number },
  ): Promise<void>;
  /** Sums by start of period or bucket; undefined = this run does not know the window. */
  read(
    window: Pick<LimitPart, 'key' | 'isShared'> & { readonly userId: number },
  ): Promise<ReadonlyMap<number, number> | undefined>;
  /** Calls of a worker that hold room, for recovery. */
  callsOf(owner: string): AsyncIterable<RegisteredLimits>;
}
