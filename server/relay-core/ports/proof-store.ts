import type { Proof } from '../model/content.js';

/**
 * Proofs of tool calls that the caller's API has no place for unless thoughts were asked for: kept aside until the results of
 * the calls come back, at whichever instance. One that is gone costs nothing but a thought: the vendor's own stand-in is sent.
 */
export abstract class ProofStore {
  /** Never waits and never fails. @param key  a name nobody can guess, which travels with the call */
  abstract keep(ownerId: number, key: string, proof: Proof): unknown;

  /** Those of the keys that are known and of this owner; at once when this instance kept them itself. Never fails. */
  abstract find(
    ownerId: number,
    keys: readonly string[],
  ): ReadonlyMap<string, Proof> | Promise<ReadonlyMap<string, Proof>>;
}
