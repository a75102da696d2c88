import { anyText, storedValue } from '../browser/stored';

/** The time zone the account has set; empty = that of the browser. Kept, so that the first page shows it as well. */
export const accountZone = storedValue<string>({
  key: 'time-zone',
  parse: anyText,
  fallback: '',
  form: 'text',
});

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone in which the console shows times and days. */
export function shownZone(): string {
  const own = accountZone.read();
  return own !== '' && formatOf(own) !== undefined ? own : browserZone();
}

const DAY_SECONDS = 86_400;
/** Clocks of every zone change at a whole quarter of an hour. */
const QUARTER_SECONDS = 900;
const MAX_KNOWN = 20_000;
const formats = new Map<string, Intl.DateTimeFormat | undefined>();
const offsets = new Map<string, number>();

/** Undefined for a zone this browser does not know. */
function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!formats.has(zone)) formats.set(zone, makeFormat(zone));
  return formats.get(zone);
}

function makeFormat(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined; // RangeError: no such zone
  }
}

/** Seconds local time is ahead of UTC. */
export function offsetAt(seconds: number, zone = shownZone()): number {
  const quarter = Math.floor(seconds / QUARTER_SECONDS);
  const key = `${quarter} ${zone}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= MAX_KNOWN) offsets.clear();
  const offset = readOffset(quarter * QUARTER_SECONDS, zone);
  offsets.set(key, offset);
  return offset;
}

function readOffset(seconds: number, zone: string): number {
  const parts = formatOf(zone)?.formatToParts(seconds * 1000) ?? [];
  const of = new Map(parts.map(({ type, value }) => [type, Number(value)]));
  const local = Date.UTC(
    of.get('year') ?? 1970,
    (of.get('month') ?? 1) - 1,
    of.get('day') ?? 1,
    of.get('hour') ?? 0,
    of.get('minute') ?? 0,
    of.get('second') ?? 0,
  );
  return local / 1000 - seconds;
}

/** Local time of the zone, as a date whose UTC members are meant. */
export const wallClock = (seconds: number): Date => new Date((seconds + offsetAt(seconds)) * 1000);

/**
 * The moment a clock on the wall shows this: the first one where it does so twice, and where it never does, the moment it would have
 * without the change.
 * @param wall  as if local time were UTC
 */
export function momentOfWall(wall: number): number {
  const [before, after] = [offsetAt(wall - DAY_SECONDS), offsetAt(wall + DAY_SECONDS)];
  for (const offset of [Math.max(before, after), Math.min(before, after)])
    if (offsetAt(wall - offset) === offset) return wall - offset;
  return wall - before;
}
