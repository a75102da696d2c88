import { hash, hkdfSync, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 42;
const CHECKSUM_LENGTH = 6;

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

/**
 * How a key is looked up: SHA-256 over pepper and key, hexadecimal. Keys have 250 random bits and a fixed length, so the
 * one-shot hash (0.8 µs) is as safe here as an HMAC (22 µs).
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
