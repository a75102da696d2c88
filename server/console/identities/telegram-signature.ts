import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const SECOND_MS = 1_000;
const MAX_AGE_MS = 300 * SECOND_MS;
const MAX_AHEAD_MS = 120 * SECOND_MS;

type Fields = Readonly<Record<string, string | undefined>>;

/** All received fields but the hash, sorted by name, a line each (core.telegram.org/widgets/login, read 2026-11-21). */
export function checkString(fields: Fields): string {
  return Object.entries(fields)
    .filter(([name, value]) => name !== 'hash' && value !== undefined)
    .map(([name, value]) => `${name}=${value ?? ''}`)
    .toSorted((left, right) => (left < right ? -1 : 1))
    .join('\n');
}

/** Whether the holder of the bot's token signed these fields. An empty token signs nothing. */
export function isGenuine(fields: Fields & { readonly hash: string }, botToken: string): boolean {
  if (botToken === '' || !/^[0-9a-f]{64}$/.test(fields.hash)) return false;
  const key = createHash('sha256').update(botToken).digest();
  const expected = createHmac('sha256', key).update(checkString(fields)).digest();
  return timingSafeEqual(expected, Buffer.from(fields.hash, 'hex'));
}

/** @param authDate  moment of the confirmation in seconds, as text */
export function isRecent(authDate: string, nowMs: number): boolean {
  if (!/^\d{1,12}$/.test(authDate)) return false;
  const ageMs = nowMs - Number(authDate) * SECOND_MS;
  return ageMs <= MAX_AGE_MS && ageMs >= -MAX_AHEAD_MS;
}
