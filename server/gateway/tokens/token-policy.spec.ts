import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { codeOf } from '../../../test/support/code-of.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../test/support/memory-rate-limiter.js';
import { anActor } from '../../../test/support/people.js';
import type { AccountsService } from '../../base/users/accounts.service.js';
import { OPTION_FALLBACKS } from '../../base/options/option-catalogue.js';
import type { OptionsService } from '../../base/options/options.service.js';
import { TokenPolicy } from './token-policy.js';

function policy() {
  const locked: number[] = [];
  const clock = new FakeClock();
  const values = {
    ...OPTION_FALLBACKS,
    UserUsableGroups: { default: 'Default', vip: 'Best' },
    'token_setting.max_user_tokens': 3,
  };
  const service = new TokenPolicy(
    { values: () => values } as unknown as OptionsService,
    memoryRateLimiter(clock),
    { lock: async (_manager: unknown, id: number) => void locked.push(id) } as unknown as AccountsService,
  );
  const room = (owned: number) =>
    codeOf(service.assertBelowLimit({} as EntityManager, anActor(), async () => owned));
  return { service, clock, locked, room };
}

describe('TokenPolicy', () => {
  it('lets an owner name the groups that are open, and the own one', () => {
    expect([...policy().service.usableGroups(anActor({ group: 'secret' }))].sort()).toEqual([
      'default',
      'secret',
      'vip',
    ]);
  });

  it('counts tokens under the lock of the account, up to the most', async () => {
    const { locked, room } = policy();
    expect(await room(2)).toBe('done');
    expect(await room(3)).toBe('token_limit_reached');
    expect(locked).toEqual([7, 7]);
  });

  it('lets an account make 120 tokens a minute', async () => {
    const { service, clock } = policy();
    for (let made = 0; made < 120; made += 1) await service.admitCreation(anActor());
    expect(await codeOf(service.admitCreation(anActor()))).toBe('too_many_requests');
    expect(await codeOf(service.admitCreation(anActor({ id: 8 })))).toBe('done');
    clock.advance(60_001);
    expect(await codeOf(service.admitCreation(anActor()))).toBe('done');
  });
});
