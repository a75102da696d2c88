/** Ids of calls, reservations and so on are UUIDv7: in the order of time, so that "since" and "before" are a range of the primary key. */
export function firstIdSince(ms: number): string {
  const hex = Math.min(Math.max(0, Math.floor(ms)), LAST_MS)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

/** An id holds 48 bits of time. */
const LAST_MS = 2 ** 48 - 1;

const TIMED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** When an id was made, in milliseconds since 1970; undefined for one that is not a UUIDv7. */
export const msOfId = (id: string): number | undefined =>
  TIMED_ID.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
