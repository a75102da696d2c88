import { describe, expect, it } from '@jest/globals';
import type { Repository } from 'typeorm';
import { FakeClock } from '../../../test/support/fake-clock.js';
import type { ChangeFeed } from '../../infra/events/change-feed.js';
import type { SessionEntity } from './session.entity.js';
import { SessionsService } from './sessions.service.js';

const session = (lastSeenAtMs: number): SessionEntity =>
  ({ digest: 'd', lastSeenAtMs }) satisfies Partial<SessionEntity> as SessionEntity;

describe('the age of a login', () => {
  const clock = new FakeClock();
  const written: number[] = [];
  let fault: Error | undefined;
  const rows = {
    update: async (_: object, { lastSeenAtMs }: SessionEntity) => {
      if (fault !== undefined) throw fault;
      written.push(lastSeenAtMs);
    },
  } as unknown as Repository<SessionEntity>;
  const sessions = new SessionsService(rows, {} as ChangeFeed, clock);

  it('writes the last use down once a minute', async () => {
    const now = session(clock.nowMs() - 59_000);
    await sessions.touch(now);
    expect(written).toEqual([]);
    const old = session(clock.nowMs() - 61_000);
    await sessions.touch(old);
    await sessions.touch(old);
    expect(written).toEqual([clock.nowMs()]);
  });

  it('keeps a login alive while the database takes no changes', async () => {
    fault = new Error('The MariaDB server is running with the --read-only option');
    await expect(sessions.touch(session(clock.nowMs() - 120_000))).resolves.toBeUndefined();
  });
});
