/** Knows to which account ids of things kept at vendors were handed out. */
export abstract class IdLedger {
  /**
   * Those of the ids that were not handed out to this account, or too long ago. One look-up, whatever their number.
   * Fails: rejects when nobody can tell.
   */
  abstract foreignTo(userId: number, ids: readonly string[]): Promise<ReadonlySet<string>>;

  /**
   * Before the caller sees the end of the answer they came in: the next request may arrive at another instance at once. Settles in any
   * case: what could not be written down is nobody's later.
   */
  abstract record(userId: number, ids: readonly string[]): Promise<void>;
}
