import type { RequiredAccount, VendorAccount } from './channel-picker.js';

/** Knows to which account ids of things kept at vendors were handed out, and where those are kept. */
export abstract class IdLedger {
  /**
   * Those of the ids that were handed out to this account, not too long ago, each with its place; undefined = handed out before places were
   * written down. One look-up, whatever their number.
   * Fails: rejects when nobody can tell.
   */
  abstract findPlaces(
    userId: number,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, RequiredAccount | undefined>>;

  /**
   * Before the caller sees the end of the answer they came in: the next request may arrive at another instance at once. Settles in any
   * case: what could not be written down is nobody's later.
   * @param inputTokens  what the vendor read for it; undefined = not known
   */
  abstract record(
    userId: number,
    ids: readonly string[],
    account: VendorAccount,
    inputTokens?: number,
  ): Promise<void>;

  /**
   * Most tokens the vendor read for an answer that one of these ids, of this account, came with; 0 = none is known.
   * Fails: rejects when the database is away.
   */
  abstract findInput(userId: number, ids: readonly string[]): Promise<number>;
}
