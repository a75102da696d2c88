import { describe, expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { anAccount } from '../../../test/support/people.js';
import { memoryPendingSteps } from '../../../test/support/memory-pending-steps.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { AccountsService } from '../users/accounts.service.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { TwoFactorService } from './two-factor/two-factor.service.js';
import { SecondStep } from './second-step.service.js';
import { VerificationTickets } from './verification-tickets.js';

async function begun() {
  const state = { account: anAccount() as ReturnType<typeof anAccount> | null };
  const recorded: string[] = [];
  const cookies: Record<string, string> = {};
  const request = {
    protocol: 'http',
    basePath: '',
    headers: {},
    server: { parseCookie: () => cookies },
    unsignCookie: (value: string) => ({ valid: true, value }),
  };
  const reply = {
    request,
    setCookie: (name: string, value: string) => void (cookies[name] = value),
    clearCookie: (name: string) => delete cookies[name],
  } as unknown as FastifyReply;
  const step = new SecondStep(
    { findIdentity: async () => state.account } as unknown as AccountsService,
    {
      spend: async (_userId: number, code: string) => {
        if (code !== '123456') throw new DomainError('two_factor_code_wrong');
        return 'app';
      },
    } as unknown as TwoFactorService,
    new VerificationTickets(memoryPendingSteps()),
    {
      record: async (_manager: unknown, { action }: { action: string }) => void recorded.push(action),
    } as unknown as AuditLog,
  );
  const answer = (await step.begin(anAccount(), 'github', reply)) as { ticket: string };
  const headerOf = () =>
    Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
  const finish = ({ ticket, code = '123456' }: { ticket?: string; code?: string } = {}) =>
    step
      .finish(
        { ticket, code },
        { ...request, headers: { cookie: headerOf() } } as unknown as FastifyRequest,
        reply,
      )
      .then(
        ({ firstStep }) => firstStep,
        (error: { code: string }) => error.code,
      );
  return { state, recorded, cookies, finish, ticket: answer.ticket };
}

describe('SecondStep', () => {
  it('accepts a right code once, and returns how the login began', async () => {
    const { finish, ticket } = await begun();
    expect(await finish({ ticket })).toBe('github');
    expect(await finish({ ticket })).toBe('second_step_expired');
  });

  it('finds the ticket in its cookie for clients that send the code alone, and removes it', async () => {
    const { finish, cookies, ticket } = await begun();
    expect(cookies).toEqual({ login_step: ticket });
    expect(await finish()).toBe('github');
    expect(cookies).toEqual({});
  });

  it('keeps the ticket for the next try after a wrong code, and records that one', async () => {
    const { recorded, finish } = await begun();
    expect(await finish({ code: '000000' })).toBe('two_factor_code_wrong');
    expect(recorded).toEqual(['login.code_wrong']);
    expect(await finish()).toBe('github');
  });

  it.each([
    ['banned', anAccount({ status: 2 })],
    ['gone', null],
    ['given another password', anAccount({ authVersion: 4 })],
  ])('refuses an account that was %s meanwhile', async (_, account) => {
    const { state, finish } = await begun();
    state.account = account;
    expect(await finish()).toBe('second_step_expired');
  });

  it('refuses a guessed code', async () => {
    const { finish } = await begun();
    expect(await finish({ ticket: 'guess' })).toBe('second_step_expired');
  });
});
