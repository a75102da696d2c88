import type { Proof } from '../../model/content.js';

/**
 * Proofs of other families travel in `thoughtSignature` under their family's name (`anthropic#…`), so that a client
 * that keeps its history as it got it brings them back. Google's own are base64 and never hold the sign.
 */
const MARK = '#';
const REDACTED = 'redacted';

export interface SignedPiece {
  readonly proof: Proof;
  readonly isRedacted: boolean;
}

export function readSignature(signature: string): SignedPiece {
  const [family, id, ...rest] = signature.split(MARK);
  if ((family === 'anthropic' || family === 'openai') && id !== undefined && rest.length > 0) {
    const data = rest.join(MARK);
    const isRedacted = id === REDACTED;
    return {
      proof: { by: family, data, ...(id === '' || isRedacted ? {} : { id }) },
      isRedacted,
    };
  }
  return { proof: { by: 'google', data: signature }, isRedacted: false };
}

export function writeSignature(proof: Proof, isRedacted: boolean | undefined): string {
  if (proof.by === 'google') return proof.data;
  return [proof.by, isRedacted === true ? REDACTED : (proof.id ?? ''), proof.data].join(MARK);
}
