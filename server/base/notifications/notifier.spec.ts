import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../test/support/memory-rate-limiter.js';
import type { Recipient } from '../users/account.js';
import type { AccountsService } from '../users/accounts.service.js';
import type { Notice } from './notice.js';
import type { NoticeDelivery } from './notice-delivery.js';
import { Notifier } from './notifier.js';

const person = (id: number) => ({ id }) as Recipient;
const notice = (kind: string) => ({ kind }) as unknown as Notice;

function notifying() {
  const clock = new FakeClock();
  const sent: string[] = [];
  const state = { roots: [person(1), person(2)], isAway: false, fails: false };
  const notifier = new Notifier(
    {
      listRootRecipients: async () => {
        if (state.isAway) throw new Error('away');
        return state.roots;
      },
    } as unknown as AccountsService,
    {
      render: (_to: Recipient, { kind }: Notice) => ({ type: kind }),
      deliver: async ({ id }: Recipient, { type }: { type: string }) => {
        if (state.fails) throw new Error('mail');
        sent.push(`${id} ${type}`);
        return { kind: 'sent' };
      },
    } as unknown as NoticeDelivery,
    memoryRateLimiter(clock),
  );
  return { notifier, clock, sent, state };
}

describe('Notifier', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it('notifies an account of one thing at most twice in ten minutes, and of ten in an hour', async () => {
    const { notifier, clock, sent } = notifying();
    for (let count = 0; count < 3; count += 1) await notifier.notify(person(7), notice('test'));
    expect(sent).toHaveLength(2);
    for (const kind of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
      await notifier.notify(person(7), notice(kind));
    expect(sent).toHaveLength(10);
    await notifier.notify(person(8), notice('a'));
    expect(sent.at(-1)).toBe('8 a');
    clock.advance(3_600_001);
    await notifier.notify(person(7), notice('a'));
    expect(sent.at(-1)).toBe('7 a');
  });

  it('never fails because of a notice', async () => {
    const { notifier, state } = notifying();
    state.fails = true;
    await expect(notifier.notify(person(7), notice('test'))).resolves.toBeUndefined();
    state.isAway = true;
    expect(() => notifier.notifyRoots(notice('test'))).not.toThrow();
  });

  it('notifies the last known root accounts, unthrottled, while the database is down', async () => {
    const { notifier, sent, state } = notifying();
    await notifier.rememberRoots();
    state.isAway = true;
    for (let count = 0; count < 3; count += 1)
      expect(await notifier.notifyAllRoots(notice('alert'))).toHaveLength(2);
    expect(sent).toHaveLength(6);
  });
});
