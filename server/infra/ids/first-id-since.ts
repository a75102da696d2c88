/** Ids of calls, reservations and so on are UUIDv7: in the order of time, so that "since" and "before" are a range of the primary key. */
export function firstIdSince(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}
