import type { ThoughtSignature } from '../model/content.js';

/**
 * Signatures of tool calls that the caller's API has no place for unless thoughts were asked for: kept aside until the results of
 * the calls come back, at whichever instance. One that is gone costs nothing but a thought: the vendor's own stand-in is sent.
 */
export abstract class SignatureStore {
  /** Never waits and never fails. @param key  a name nobody can guess, which travels with the call */
  abstract keep(ownerId: number, key: string, signature: ThoughtSignature): unknown;

  /** Those of the keys that are known and of this owner; at once when this instance kept them itself. Never fails. */
  abstract find(
    ownerId: number,
    keys: readonly string[],
  ): ReadonlyMap<string, ThoughtSignature> | Promise<ReadonlyMap<string, ThoughtSignature>>;
}
