import { hash, hkdfSync, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 42;
const CHECKSUM_LENGTH = 6;

/** Shorter keys would be shown to a large part. */
const MASKED_LENGTH = 16;

/** Characters of a key without its `sk-` prefix. */
export const TOKEN_KEY_LENGTH = RANDOM_LENGTH + CHECKSUM_LENGTH;

/** A new key: 42 random base62 characters (250 bits) and a 6-character CRC-32 that lets scanners recognise it. */
export function makeTokenKey(): string {
  let random = '';
  for (let i = 0; i < RANDOM_LENGTH; i += 1) random += ALPHABET[randomInt(ALPHABET.length)];
  return random + checksum(random);
}

/** True when the text has the shape of a key and its checksum fits: decided without a database. */
export function isTokenKey(text: string): boolean {
  return (
    /^[0-9A-Za-z]{48}$/.test(text) && checksum(text.slice(0, RANDOM_LENGTH)) === text.slice(RANDOM_LENGTH)
  );
}

/** The secret part of every look-up digest, derived from CRYPTO_SECRET: a copied database alone cannot test keys. */
export function tokenPepper(cryptoSecret: string): string {
  return Buffer.from(hkdfSync('sha256', cryptoSecret, 'tollgate', 'token-pepper', 32)).toString('hex');
}

/** The key as people write it, without its `sk-` prefix and surrounding blanks. Exactly one prefix is removed. */
export function withoutKeyPrefix(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('sk-') ? trimmed.slice(3) : trimmed;
}

/** A key as people recognise it, `abcd…wxyz`; the last characters are its checksum. Empty for a key that cannot be read. */
export const maskTokenKey = (key: string): string =>
  key.length < MASKED_LENGTH ? '' : `${key.slice(0, 4)}…${key.slice(-4)}`;

/**
 * Look-up digest of a key: SHA-256 over pepper and key, hexadecimal. Keys have 250 random bits and a fixed length, so the one-shot
 * hash (0.8 µs) is as safe here as an HMAC (22 µs).
 */
export function digestTokenKey(pepper: string, key: string): string {
  return hash('sha256', pepper + key, 'hex');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** The authenticated place of a token's key in `tokens.key_encrypted`. */
export const tokenKeyPlace = (tokenId: number): string => `tokens|key_encrypted|${tokenId}`;

/** Parts of a client's key text. */
export interface Credential {
  readonly key: string;
  /** Channel the call is pinned to by the `-ID` suffix; null = none. */
  readonly channelId: number | null;
}

const MAX_LENGTH = 128;
/** Optional prefix, then the key, then an optional channel id. Keys never contain a hyphen. */
const FORM = /^(?:sk-)?([0-9A-Za-z]{16,128})(?:-([1-9][0-9]{0,9}))?$/;
const MAX_CHANNEL_ID = 2_147_483_647;

/**
 * Reads the text of a key: one strict pattern, nothing trimmed, case kept.
 * A text of the length of our own keys must carry their checksum: a made-up key is refused without a look at the
 * database. Keys of other lengths may come from an older installation and are looked up.
 * @param text  the credential without scheme, e.g. `sk-…` or `…-7`
 * @returns null when it cannot be a key
 */
export function parseCredential(text: string): Credential | null {
  if (text.length > MAX_LENGTH) return null;
  const match = FORM.exec(text);
  if (match === null) return null;
  const [, key = '', suffix] = match;
  if (key.length === TOKEN_KEY_LENGTH && !isTokenKey(key)) return null;
  const channelId = suffix === undefined ? null : Number(suffix);
  if (channelId !== null && channelId > MAX_CHANNEL_ID) return null;
  return { key, channelId };
}
