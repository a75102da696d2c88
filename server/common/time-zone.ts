import { getOrRemember } from './get-or-add.js';
/** From `from` on, local time is so many seconds ahead of UTC. */
export interface OffsetSpan {
  /** Seconds. */
  readonly from: number;
  readonly offset: number;
}

const DAY_SECONDS = 86_400;
/** Since 1972 every zone differs from UTC by whole quarters of an hour, and changes its clocks at one. */
const QUARTER_SECONDS = 900;
const MAX_ZONES = 100;
const MAX_KNOWN_OFFSETS = 20_000;

/** Names of the time zone database start with a letter; `+05:30`, which runtimes take as well, is no place with days of its own. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,2}$/;

/** Returns true when the runtime has this name of the time zone database. */
export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !ZONE_NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false; // RangeError: no such zone
  }
}

/** Local time of one zone. Offsets are looked up once a quarter of an hour. */
export class ZonedTime {
  private readonly parts: Intl.DateTimeFormat;
  private readonly offsets = new Map<number, number>();

  /** @param name  see `isTimeZone`. Fails: throws RangeError for an unknown zone. */
  private constructor(readonly name: string) {
    this.parts = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
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
  }

  private static readonly known = new Map<string, ZonedTime>();

  static of(name: string): ZonedTime {
    return getOrRemember(ZonedTime.known, MAX_ZONES, name, () => new ZonedTime(name));
  }

  /** Seconds local time is ahead of UTC at a moment. */
  offsetAt(seconds: number): number {
    const quarter = Math.floor(seconds / QUARTER_SECONDS);
    return getOrRemember(this.offsets, MAX_KNOWN_OFFSETS, quarter, () =>
      this.readOffset(quarter * QUARTER_SECONDS),
    );
  }

  private readOffset(seconds: number): number {
    const of = new Map(
      this.parts.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]),
    );
    const local = Date.UTC(
      of.get('year') ?? 0,
      (of.get('month') ?? 1) - 1,
      of.get('day') ?? 1,
      of.get('hour') ?? 0,
      of.get('minute') ?? 0,
      of.get('second') ?? 0,
    );
    return local / 1000 - seconds;
  }

  /** Offsets in force from one moment to another, oldest first; the first one holds before it as well. */
  offsetsBetween(from: number, to: number): readonly OffsetSpan[] {
    const spans: OffsetSpan[] = [{ from, offset: this.offsetAt(from) }];
    for (let at = from; at < to;) {
      const next = Math.min(at + DAY_SECONDS, to);
      const offset = this.offsetAt(next);
      if (offset !== spans.at(-1)?.offset) spans.push({ from: this.changeBetween(at, next), offset });
      at = next;
    }
    return spans;
  }

  /** The moment the clocks change between two moments of different offsets. */
  changeBetween(before: number, after: number): number {
    const offset = this.offsetAt(after);
    let low = Math.floor(before / QUARTER_SECONDS);
    let high = Math.floor(after / QUARTER_SECONDS);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetAt(middle * QUARTER_SECONDS) === offset) high = middle;
      else low = middle;
    }
    return high * QUARTER_SECONDS;
  }

  /**
   * When the day begins.
   * @param midnight  its midnight, as if local time were UTC. Where clocks are put forward over it, the day begins with the change.
   */
  startOfDay(midnight: number): number {
    const [before, after] = [this.offsetAt(midnight - DAY_SECONDS), this.offsetAt(midnight + DAY_SECONDS)];
    for (const offset of [Math.max(before, after), Math.min(before, after)])
      if (this.offsetAt(midnight - offset) === offset) return midnight - offset;
    return midnight - before;
  }

  /** 2026-11-25T13:05:00+05:30; of UTC as `Date` writes it. */
  format(seconds: number): string {
    const offset = this.offsetAt(seconds);
    const local = new Date((seconds + offset) * 1000).toISOString();
    if (this.name === UTC) return local;
    const minutes = Math.abs(offset) / 60;
    const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
    return `${local.slice(0, 19)}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
  }
}

export const UTC = 'UTC';
