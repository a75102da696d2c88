import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import type { OptionsService } from '../../../base/options/options.service.js';
import { AlertAnnouncer } from './alert-announcer.js';
import type { AlertEntity } from './alert.entity.js';
import type { AlertNotifier } from './alert-notifier.js';
import type { AlertStore } from './alert-store.js';

const NOW = 1_700_000_000_000;
const QUIET_MS = 30 * 60_000;
const row = (changes: Partial<AlertEntity> = {}): AlertEntity =>
  ({
    id: 1,
    rule: 'books-differ',
    subject: '',
    severity: 'fault',
    facts: '{}',
    sinceMs: 0,
    overAtMs: null,
    owesRecovery: 0,
    acknowledgedBy: 0,
    notifiedAtMs: 0,
    notifyAttempts: 0,
    ...changes,
  }) as AlertEntity;

function announcing(rows: readonly AlertEntity[], reached: number) {
  const done: unknown[] = [];
  const ids = (some: readonly AlertEntity[]) => some.map(({ id }) => id);
  const announcer = new AlertAnnouncer(
    {
      open: async () => rows,
      owingRecovery: async () => rows,
      told: async (some: readonly number[]) => void done.push(['told', some]),
      recordResolvedNotified: async (some: readonly number[]) => void done.push(['end told', some]),
      recordNotifyFailure: async (
        some: readonly AlertEntity[],
        _delivery: unknown,
        giveUpAtMs: number | null,
      ) => {
        if (some.length > 0) done.push([giveUpAtMs === null ? 'again' : 'given up', ids(some)]);
      },
    } as unknown as AlertStore,
    {
      notify: async (news: readonly unknown[]) => {
        done.push(`${news.length} sent`);
        return { reached, fault: '' };
      },
    } as unknown as AlertNotifier,
    { values: () => ({ AlertQuietMinutes: 30 }) } as unknown as OptionsService,
    new FakeClock(NOW),
  );
  return { announcer, done };
}

describe('AlertAnnouncer of what began', () => {
  it.each<[string, Partial<AlertEntity>]>([
    ['was told already', { owesRecovery: 1 }],
    ['somebody knows of', { acknowledgedBy: 7 }],
    ['was given up within the quiet time', { notifiedAtMs: NOW - QUIET_MS + 1 }],
  ])('sends nothing of what %s', async (_, changes) => {
    const { announcer, done } = announcing([row(changes)], 1);
    await announcer.announceFiring();
    expect(done).toEqual([]);
  });

  it('sends all new alerts in one go, and records it', async () => {
    const { announcer, done } = announcing([row(), row({ id: 2, notifiedAtMs: NOW - QUIET_MS })], 1);
    await announcer.announceFiring();
    expect(done).toEqual(['2 sent', ['told', [1, 2]]]);
  });

  it('tries five times when no recipient is reached, then again after the quiet time', async () => {
    const { announcer, done } = announcing(
      [row({ notifyAttempts: 3 }), row({ id: 2, notifyAttempts: 4 })],
      0,
    );
    await announcer.announceFiring();
    expect(done).toEqual(['2 sent', ['given up', [2]], ['again', [1]]]);
  });
});

describe('AlertAnnouncer of what is over', () => {
  it('sends the end to the recipients of the start', async () => {
    const { announcer, done } = announcing([row({ overAtMs: NOW })], 1);
    await announcer.announceResolved();
    expect(done).toEqual(['1 sent', ['end told', [1]]]);
  });

  it('gives up after five failed deliveries', async () => {
    const { announcer, done } = announcing(
      [row({ notifyAttempts: 3 }), row({ id: 2, notifyAttempts: 4 })],
      0,
    );
    await announcer.announceResolved();
    expect(done).toEqual(['2 sent', ['end told', [2]], ['again', [1]]]);
  });

  it('sends nothing when nothing is due', async () => {
    const { announcer, done } = announcing([], 1);
    await announcer.announceResolved();
    expect(done).toEqual([]);
  });
});
