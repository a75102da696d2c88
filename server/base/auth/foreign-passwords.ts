import { createHash, scrypt, timingSafeEqual } from 'node:crypto';
import { verify as verifyArgon2 } from '@node-rs/argon2';
import { compareBcrypt } from './compare-bcrypt.js';

const WRAPPED = 'sha256:';
const SCRYPT = 'scrypt:';
const SCRYPT_SALT_BYTES = 16;
const SCRYPT_HASH_BYTES = 32;
const SCRYPT_COST = { N: 16_384, r: 8, p: 1 };
/** bcrypt looks at no more of a password than this. */
const BCRYPT_BYTES = 72;

/** Stored form of a password of which only the unsalted SHA-256 was known. @param hash  argon2id of its hexadecimal digits */
export const wrappedPassword = (hash: string): string => WRAPPED + hash;

/** True for passwords that were imported and have not been used to sign in since. */
export const isForeignPassword = (stored: string): boolean => stored !== '' && !stored.startsWith('$argon2');

/** False for a text of which an old hash saw only the beginning: it must not become the password. */
export const isSeenWhole = (stored: string, password: string): boolean =>
  !stored.startsWith('$2') || Buffer.byteLength(password) <= BCRYPT_BYTES;

/** Compares a password with a hash that another gateway made: bcrypt, scrypt, or argon2id around a SHA-256. */
export async function verifyForeign(stored: string, password: string): Promise<boolean> {
  if (stored.startsWith('$2')) return compareBcrypt(password, stored);
  if (stored.startsWith(WRAPPED))
    return verifyArgon2(stored.slice(WRAPPED.length), createHash('sha256').update(password).digest('hex'));
  if (stored.startsWith(SCRYPT)) return verifyScrypt(stored.slice(SCRYPT.length), password);
  return false;
}

async function verifyScrypt(text: string, password: string): Promise<boolean> {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== SCRYPT_SALT_BYTES + SCRYPT_HASH_BYTES) return false;
  const salt = bytes.subarray(0, SCRYPT_SALT_BYTES);
  const hashed = await new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, SCRYPT_HASH_BYTES, SCRYPT_COST, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
  return timingSafeEqual(hashed, bytes.subarray(SCRYPT_SALT_BYTES));
}
