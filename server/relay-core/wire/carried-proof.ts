import type { Proof } from '../model/content.js';

/** A proof as it stands in a field of a wire. */
export interface CarriedProof {
  readonly proof: Proof;
  readonly isRedacted: boolean;
}

const FOREIGN = /^(anthropic|google|openai)(-redacted)?#(?:([^#]*)#)?/;

/**
 * A proof as text for a field of the family `home`: its own proofs as they are, others marked with their family, so that
 * they are known again when a client brings them back (`google#…`, `openai#rs_1#…`).
 */
export function carryProof(proof: Proof, home: Proof['by'], isRedacted = false): string {
  if (proof.by === home) return proof.data;
  const id = proof.id === undefined ? '' : `${encodeURIComponent(proof.id)}#`;
  return `${proof.by}${isRedacted ? '-redacted' : ''}#${id}${proof.data}`;
}

/** The proof a field of the family `home` holds, whoever wrote it. */
export function readCarriedProof(text: string, home: Proof['by'], id?: string): CarriedProof {
  const match = FOREIGN.exec(text);
  const by = match?.[1];
  if (match === null || (by !== 'anthropic' && by !== 'google' && by !== 'openai')) {
    return { proof: { by: home, data: text, ...(id === undefined ? {} : { id }) }, isRedacted: false };
  }
  const data = text.slice(match[0].length);
  const ownId = match[3];
  return {
    proof: { by, data, ...(ownId === undefined || ownId === '' ? {} : { id: plainId(ownId) }) },
    isRedacted: match[2] !== undefined,
  };
}

function plainId(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // A client's own invention: no call has such an id.
    return encoded;
  }
}
