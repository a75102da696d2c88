import { hash } from 'node:crypto';

/** Longest text the columns of keys and payment numbers hold. */
const LONGEST = 191;

/** A key as its column holds it: of one that is too long the beginning and a digest, so that no two keys are one. */
export function storedKey(key: string): string {
  if (key.length <= LONGEST) return key;
  const digest = hash('sha256', key, 'base64url');
  return `${key.slice(0, LONGEST - 1 - digest.length).toWellFormed()}~${digest}`;
}

/** All forms rows may have a key in: version 0.1 cut it. */
export const storedForms = (key: string): string[] =>
  key.length <= LONGEST ? [key] : [storedKey(key), key.slice(0, LONGEST)];
