import { createHash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 9;

/** Form of ids the vendor accepts. */
const TAKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** Ids other vendors made (`functions.get:0`, or none at all) as one the vendor takes; the same each time. */
export const takenToolId = (callId: string): string =>
  TAKEN.test(callId) ? callId : `call_${createHash('sha256').update(callId).digest('hex').slice(0, 24)}`;

/** Mistral's models take ids of nine letters or digits; every other id has one of these for itself. */
export function shortToolId(callId: string): string {
  if (/^[A-Za-z0-9]{9}$/.test(callId)) return callId;
  const digest = createHash('sha256').update(callId).digest();
  let id = '';
  for (let at = 0; at < LENGTH; at += 1) id += ALPHABET[(digest[at] as number) % ALPHABET.length];
  return id;
}
