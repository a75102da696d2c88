import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../test/support/memory-rate-limiter.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { AccountCreation, AccountRequest } from '../users/account-creation.service.js';
import type { HumanCheck } from './verification/human-check.js';
import type { Registration } from './dto/login.dto.js';
import type { PasswordHasher } from './password.js';
import type { RegistrationRules } from './registration-rules.js';
import { RegistrationService } from './registration.service.js';

function registering() {
  const steps: string[] = [];
  const made: AccountRequest[] = [];
  const state = { fails: '' };
  const step = (name: string) => {
    steps.push(name);
    if (state.fails === name) throw new DomainError('invalid_input');
  };
  const service = new RegistrationService(
    {
      assertOpen: () => step('open'),
      assertForm: () => step('form'),
      provenMail: async () => {
        step('code');
        return 'ann@example.com';
      },
    } as unknown as RegistrationRules,
    {
      assertNameFree: async () => step('name'),
      create: async (wanted: AccountRequest) => void made.push(wanted),
    } as unknown as AccountCreation,
    {
      hash: async (password: string) => {
        step('hash');
        return `hash of ${password}`;
      },
    } as unknown as PasswordHasher,
    memoryRateLimiter(new FakeClock()),
    { assert: async () => step('person') } as unknown as HumanCheck,
  );
  const register = (ip = '192.0.2.1') =>
    codeOf(
      service.register({ username: ' ann ', password: 'secret', aff_code: 'friend' } as Registration, {
        turnstile: '',
        ip,
        host: '',
      }),
    );
  return { register, steps, made, state };
}

describe('RegistrationService', () => {
  it('makes an ordinary account, after what costs nothing was looked at first', async () => {
    const { register, steps, made } = registering();
    expect(await register()).toBe('done');
    expect(steps).toEqual(['open', 'form', 'person', 'name', 'code', 'hash']);
    expect(made).toEqual([
      {
        username: 'ann',
        displayName: 'ann',
        passwordHash: 'hash of secret',
        role: 1,
        affCode: 'friend',
        email: 'ann@example.com',
        actorId: 0,
      },
    ]);
  });

  it.each(['open', 'form', 'person', 'name', 'code'])(
    'stops at the first step that fails: %s',
    async (fails) => {
      const { register, steps, made, state } = registering();
      state.fails = fails;
      expect(await register()).toBe('invalid_input');
      expect(steps.at(-1)).toBe(fails);
      expect(made).toEqual([]);
    },
  );

  it('makes five accounts an hour for a network, and uses up no code of the sixth', async () => {
    const { register, steps, made } = registering();
    for (let count = 0; count < 5; count += 1) await register();
    steps.length = 0;
    expect(await register()).toBe('too_many_requests');
    expect(steps).not.toContain('code');
    expect(made).toHaveLength(5);
    expect(await register('192.0.2.2')).toBe('done');
  });

  it('checks twenty attempts of a network, whatever their fault', async () => {
    const { register, steps, state } = registering();
    state.fails = 'form';
    for (let count = 0; count < 20; count += 1) await register();
    steps.length = 0;
    expect(await register()).toBe('too_many_requests');
    expect(steps).toEqual(['open']);
  });
});
