import type { ThoughtSignature } from '../../model/content.js';
import {
  writePortableSignature,
  readPortableSignature,
  type PortableSignature,
} from '../shared/fields/portable-signature.js';

/**
 * Content of a `signature` of this format. Thinking is signed by its own family as a rule. Other families also sign
 * calls and texts, for which these blocks have no field: an empty thinking block beside them carries the signature then,
 * and names the side it belongs to.
 */
export interface Signature extends PortableSignature {
  readonly of: 'itself' | 'next' | 'previous';
}

const SIDE = /^(next|previous)#/;

export function readSignature(text: string): Signature {
  const match = SIDE.exec(text);
  const of = match === null ? 'itself' : match[1] === 'next' ? 'next' : 'previous';
  return { of, ...readPortableSignature(match === null ? text : text.slice(match[0].length), 'anthropic') };
}

export function writeSignature(signature: ThoughtSignature, of: Signature['of'], isRedacted = false): string {
  const carried = writePortableSignature(signature, 'anthropic', { isRedacted });
  return of === 'itself' ? carried : `${of}#${carried}`;
}
