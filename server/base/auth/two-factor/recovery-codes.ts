import { randomInt } from 'node:crypto';
import type { SecretBox } from '../../../infra/crypto/secret-box.js';

export const RECOVERY_CODES = 10;
/** Without letters and digits that are mistaken for each other. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
/** 12 characters of 31: 59 bits. */
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** New codes, `ABCD-EFGH-JKMN`, all different. */
export function makeRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(makeCode());
  return [...codes];
}

/** Stored form: codes of two accounts never have the same digest, and the table alone does not allow to try codes. */
export function digestOfRecoveryCode(secrets: SecretBox, userId: number, code: string): string {
  return secrets.sign('recovery-code', `${userId}:${foldRecoveryCode(code)}`).toString('hex');
}

/** Tolerates typing: case, blanks and dashes do not matter. */
const foldRecoveryCode = (code: string): string => code.toUpperCase().replace(/[\s-]/g, '');

export const looksLikeRecoveryCode = (code: string): boolean =>
  new RegExp(`^[${ALPHABET}]{${GROUPS * GROUP_LENGTH}}$`).test(foldRecoveryCode(code));

function makeCode(): string {
  const group = (): string =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
