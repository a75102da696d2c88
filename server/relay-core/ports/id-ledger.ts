import type { RequiredAccount, VendorAccount } from './channel-picker.js';

/** Records the account that ids of objects at vendors were issued to, and their place. */
export abstract class IdLedger {
  /**
   * Finds those of the ids that were recently issued to this account, each with its place; undefined = issued before places were
   * recorded. One look-up, whatever their number.
   * Fails: rejects when the answer is unknown.
   */
  abstract findPlaces(
    userId: number,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, RequiredAccount | undefined>>;

  /**
   * Called before the caller sees the end of the answer they came in: the next request may arrive at another instance at once.
   * Settles in any case: ids that could not be stored belong to no account later.
   * @param inputTokens  tokens the vendor read for it; undefined = not known
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
