/**
 * Identifier of an account in money records, beside its number: after a restore a number may be reused, this one never.
 * @param uid  null where a version before made the account: it goes by the moment it was made
 */
export const accountUid = (uid: string | null, createdAtSeconds: number): string =>
  uid ?? String(createdAtSeconds);

const DIGITS_OF_DIGEST = 16;

/** The same for a token: the beginning of its key's digest, which no other token ever has. */
export const tokenUid = (keyDigest: string): string => keyDigest.slice(0, DIGITS_OF_DIGEST);

/** Clocks of instances differ by less than this: what is that much older than its owner is not the owner's. */
export const CLOCKS_DIFFER_MS = 60_000;
