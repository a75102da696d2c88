import type { RelayError } from '../model/relay-error.js';

/** The last refusal of each API token, for its owner to read. */
export abstract class RefusalNotes {
  /** Written in the background; losing one is not a fault. @param tokenId  null = the caller has no token */
  abstract note(tokenId: number | null, error: RelayError): void;
}
