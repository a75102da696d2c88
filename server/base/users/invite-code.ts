import { randomInt } from 'node:crypto';

const LENGTH = 8;
/** Without characters that look like others. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** Maximum number of draws while the drawn code is taken. */
export const INVITE_CODE_ATTEMPTS = 5;

export const makeInviteCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
