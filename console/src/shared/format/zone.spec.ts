import { afterEach, describe, expect, it } from '@jest/globals';
import { accountZone, browserZone, momentOfWall, offsetAt, shownZone, wallClock } from './zone';

const at = (iso: string): number => Date.parse(iso) / 1000;

afterEach(() => accountZone.clear());

describe('shownZone', () => {
  it.each(['', 'Mars/Olympus', '__proto__'])('falls back to that of the browser for %j', (zone) => {
    accountZone.write(zone);
    expect(shownZone()).toBe(browserZone());
  });

  it('takes that of the account where this browser knows it', () => {
    accountZone.write('Asia/Kathmandu');
    expect(shownZone()).toBe('Asia/Kathmandu');
  });
});

describe('offsetAt', () => {
  it.each([
    ['UTC', '2026-07-01T00:00:00Z', 0],
    ['Asia/Kathmandu', '2026-07-01T00:00:00Z', 5.75],
    ['America/St_Johns', '2026-01-01T00:00:00Z', -3.5],
    ['Europe/Berlin', '2026-03-29T00:59:59Z', 1],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 2],
    ['Pacific/Kiritimati', '2026-01-01T00:00:00Z', 14],
  ])('reads %s at %s as %d hours', (zone, iso, hours) => {
    expect(offsetAt(at(iso), zone)).toBe(hours * 3_600);
  });
});

describe('a clock on the wall', () => {
  it('shows the moment it is read back from', () => {
    accountZone.write('America/New_York');
    const moment = at('2026-07-04T16:30:00Z');
    expect(wallClock(moment).toISOString()).toBe('2026-07-04T12:30:00.000Z');
    expect(momentOfWall(at('2026-07-04T12:30:00Z'))).toBe(moment);
  });

  it('means the first moment where it shows one twice, and goes on where it skips an hour', () => {
    accountZone.write('Europe/Berlin');
    expect(momentOfWall(at('2026-10-25T02:30:00Z'))).toBe(at('2026-10-25T00:30:00Z'));
    expect(momentOfWall(at('2026-03-29T02:30:00Z'))).toBe(at('2026-03-29T01:30:00Z'));
  });
});
