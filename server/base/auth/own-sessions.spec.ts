import { describe, expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { anAccount, anActor } from '../../../test/support/people.js';
import type { AccountsService } from '../users/accounts.service.js';
import type { AuditLog } from '../audit/audit-log.js';
import { OwnSessions } from './own-sessions.js';
import type { SessionsService } from './sessions.service.js';

const digests = ['a'.repeat(64), 'b'.repeat(64)];

function own() {
  const done: unknown[] = [];
  const cookies: string[] = [];
  const sessions = new OwnSessions(
    {
      open: async () => ({ id: 'new-id', maxAgeMs: 5_000 }),
      listOf: async () =>
        digests.map((digest) => ({
          digest,
          createdAtMs: 1_999,
          lastSeenAtMs: 2_999,
          ip: 'ip',
          userAgent: 'ua',
          way: 'password',
        })),
      close: async (userId: number, digest: string) => {
        done.push(['closed', userId, digest]);
        return true;
      },
      closeOthers: async (userId: number, kept: string | null) => {
        done.push(['closed all of', userId, 'but', kept]);
        return 2;
      },
    } as unknown as SessionsService,
    {
      findIdentity: async () => anAccount(),
      recordLogin: async () => void done.push('noted'),
    } as unknown as AccountsService,
    {
      record: async (_manager: unknown, { action }: { action: string }) => void done.push(action),
    } as unknown as AuditLog,
  );
  const request = { protocol: 'http', basePath: '', ip: 'ip', headers: {} } as unknown as FastifyRequest;
  const reply = {
    request,
    setCookie: (_name: string, id: string) => void cookies.push(id),
  } as unknown as FastifyReply;
  return { sessions, done, cookies, request, reply };
}

describe('OwnSessions', () => {
  it('records a login before it opens a session of a new id', async () => {
    const { sessions, done, cookies, request, reply } = own();
    await sessions.signIn(anAccount(), { way: 'password' }, request, reply);
    expect(done).toEqual(['login.success', 'noted']);
    expect(cookies).toEqual(['new-id']);
  });

  it('lists logins by the start of their digests, which is no login, and marks the current one', async () => {
    const list = await own().sessions.list(anActor({ sessionDigest: digests[1] ?? '' }));
    expect(list.map(({ id, current }) => [id, current])).toEqual([
      ['a'.repeat(16), false],
      ['b'.repeat(16), true],
    ]);
    expect(list[0]).toMatchObject({ created_at: 1, last_seen_at: 2 });
  });

  it('ends one of the own logins by that name, and none by another', async () => {
    const { sessions, done } = own();
    expect(await sessions.close(anActor(), 'b'.repeat(16))).toBe(true);
    expect(done).toEqual([['closed', 7, digests[1]], 'session.end']);
    expect(await sessions.close(anActor(), 'c'.repeat(16))).toBe(false);
    expect(done).toHaveLength(2);
  });

  it.each([
    [false, 'digest'],
    [true, null],
  ])('ends all logins, this one with them: %s', async (withCurrent, kept) => {
    const { sessions, done } = own();
    expect(await sessions.closeAll(anActor(), withCurrent)).toBe(2);
    expect(done[0]).toEqual(['closed all of', 7, 'but', kept]);
  });
});
