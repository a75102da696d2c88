import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../test/support/memory-rate-limiter.js';
import { anActor } from '../../../test/support/people.js';
import type { ChangeFeed } from '../../infra/events/change-feed.js';
import { BalanceTooHighError } from '../../base/billing/ledger/account-money.service.js';
import type { CodeRedeemer } from './redeem.service.js';
import { RedeemService } from './redeem.service.js';
import type { RedemptionLog } from './redemption-log.js';

function redeeming() {
  const clock = new FakeClock();
  const tried: string[] = [];
  const done: unknown[] = [];
  const service = new RedeemService(
    {
      redeem: async ({ id: userId }: { id: number }, typed: string) => {
        tried.push(typed);
        if (typed === 'full') throw new BalanceTooHighError();
        return typed === 'good' ? { codeId: 3, creatorId: 1, quota: 500, userId } : null;
      },
    } as unknown as CodeRedeemer,
    memoryRateLimiter(clock),
    { write: async (line: unknown) => void done.push(line) } as unknown as RedemptionLog,
    { announce: (topic: string, id: number) => void done.push(`${topic} ${id}`) } as unknown as ChangeFeed,
  );
  const redeem = (typed: string, id = 7) => codeOf(service.redeem(anActor({ id }), typed));
  return { service, clock, tried, done, redeem };
}

describe('RedeemService', () => {
  it('returns the added quota, notifies every instance, and writes the log line of the code', async () => {
    const { service, done } = redeeming();
    expect(await service.redeem(anActor(), 'good')).toBe(500);
    expect(done).toEqual(['user 7', { id: 3, userId: 1, quota: 500, usedUserId: 7 }]);
  });

  it('refuses a code in one sentence, whatever is wrong with it', async () => {
    const { done, redeem } = redeeming();
    expect([await redeem('bad'), await redeem('full'), await redeem(' ')]).toEqual([
      'redemption_invalid',
      'balance_too_high',
      'redemption_code_required',
    ]);
    expect(done).toEqual([]);
  });

  it('takes ten tries a minute of an account', async () => {
    const { clock, tried, redeem } = redeeming();
    for (let count = 0; count < 10; count += 1) await redeem('good');
    expect(await redeem('good')).toBe('too_many_requests');
    expect(await redeem('good', 8)).toBe('done');
    expect(tried).toHaveLength(11);
    clock.advance(60_001);
    expect(await redeem('good')).toBe('done');
  });

  it('takes no code of an account that failed twenty times in an hour', async () => {
    const { clock, redeem } = redeeming();
    for (let count = 0; count < 20; count += 1) {
      clock.advance(30_000);
      expect(await redeem('bad')).toBe('redemption_invalid');
    }
    clock.advance(60_000);
    expect(await redeem('good')).toBe('too_many_requests');
    clock.advance(3_600_000);
    expect(await redeem('good')).toBe('done');
  });
});
