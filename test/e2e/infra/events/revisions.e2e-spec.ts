import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { bumpRevision } from '../../../../server/infra/events/bump-revision.js';
import { ChangeFeed, type ChangeTopic } from '../../../../server/infra/events/change-feed.js';
import { Revisions } from '../../../../server/infra/events/revisions.js';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';

class RecordedFeed extends ChangeFeed {
  readonly announced: ChangeTopic[] = [];

  override announce(topic: ChangeTopic): void {
    this.announced.push(topic);
  }

  override on(): () => void {
    return () => undefined;
  }
}

describe.each(DATABASE_KINDS)('revisions on %s', (kind) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let feed: RecordedFeed;
  let revisions: Revisions;
  let inForce: number;
  let isReadable: boolean;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    dataSource = await openDatabase(database.url);
  });
  beforeEach(async () => {
    feed = new RecordedFeed();
    const clock = new SystemClock();
    revisions = new Revisions(dataSource, clock, new DegradedModes(clock), feed);
    inForce = 0;
    isReadable = true;
    await revisions.follow({
      name: 'channels',
      hasDrifted: async () => false,
      prepare: async () => {
        if (!isReadable) throw new Error('cannot be read');
        return { complaint: null, apply: () => (inForce += 1) };
      },
    });
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  const change = () => dataSource.transaction((manager) => bumpRevision(manager, 'channels'));

  it('has a change in force here once it has announced it', async () => {
    await change();
    expect(inForce).toBe(1);
    await revisions.publishChange('channels');
    expect([feed.announced, inForce]).toEqual([['channels'], 2]);
  });

  it('announces a change that cannot be read, and reads it when it can', async () => {
    isReadable = false;
    await change();
    await revisions.publishChange('channels');
    expect([feed.announced, inForce]).toEqual([['channels'], 1]);
    isReadable = true;
    await revisions.refresh();
    expect(inForce).toBe(2);
  });

  it('fetches before the snapshot, reads both parts in it and switches them in one turn', async () => {
    const steps: string[] = [];
    const part = (name: 'options' | 'channels') => ({
      name,
      hasDrifted: async () => false,
      prefetch: async () => {
        steps.push(`fetch ${name}`);
        // Committed after the look and before the snapshot: both parts are read as of now.
        if (name === 'options') await dataSource.transaction((manager) => bumpRevision(manager, 'channels'));
      },
      prepare: async () => {
        steps.push(`read ${name}`);
        return {
          complaint: null,
          apply: () => {
            steps.push(`apply ${name}`);
            queueMicrotask(() => steps.push('next turn'));
          },
        };
      },
    });
    await revisions.follow(part('channels'));
    await revisions.follow(part('options'));
    steps.length = 0;
    await dataSource.transaction((manager) => bumpRevision(manager, 'options'));
    await revisions.refresh();
    const switched = ['apply channels', 'apply options', 'next turn', 'next turn'];
    expect(steps).toEqual(['fetch options', 'read channels', 'read options', ...switched]);
  });

  it('fetches nothing for a part that did not change', async () => {
    let fetches = 0;
    await revisions.follow({
      name: 'options',
      hasDrifted: async () => false,
      prefetch: async () => void (fetches += 1),
      prepare: async () => ({ complaint: null, apply: () => undefined }),
    });
    await change();
    await revisions.refresh();
    expect([fetches, inForce]).toEqual([1, 2]);
  });
});
