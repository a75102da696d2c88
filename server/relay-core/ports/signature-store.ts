import type { ThoughtSignature } from '../model/content.js';

/**
 * Signatures of tool calls that the caller's API has no place for unless thoughts were requested: stored until the results of the
 * calls come back, at whichever instance. A lost one costs nothing but a thought: the vendor's own stand-in is sent.
 */
export abstract class SignatureStore {
  /** Never waits and never fails. @param key  an unguessable name, which travels with the call */
  abstract keep(ownerId: number, key: string, signature: ThoughtSignature): unknown;

  /** Those of the keys that are known and of this owner; at once when this instance kept them itself. Never fails. */
  abstract find(
    ownerId: number,
    keys: readonly string[],
  ): ReadonlyMap<string, ThoughtSignature> | Promise<ReadonlyMap<string, ThoughtSignature>>;
}
