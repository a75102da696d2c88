import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../../test/support/memory-rate-limiter.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { fail, ok } from '../../../common/result.js';
import type { Env } from '../../../config/env.js';
import type { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { OPTION_FALLBACKS } from '../../options/option-catalogue.js';
import type { OptionsService } from '../../options/options.service.js';
import { type HumanAction, HumanCheck } from './human-check.js';

/** Answer of the service; null = it cannot be reached. */
let verdict: { status: number; body: string } | null;
let asked: URLSearchParams[];
let options: typeof OPTION_FALLBACKS;
let tokens: number;
let check: HumanCheck;

const says = (said: object, status = 200): void => {
  verdict = { status, body: JSON.stringify(said) };
};

beforeEach(() => {
  asked = [];
  tokens = 0;
  options = { ...OPTION_FALLBACKS, TurnstileCheckEnabled: true, TurnstileSecretKey: 'site secret' };
  says({ success: true });
  const client = {
    fetch: async (_caller: string, { body }: { body: Buffer }) => {
      asked.push(new URLSearchParams(body.toString()));
      return verdict === null
        ? fail({ kind: 'connect' })
        : ok({ status: verdict.status, headers: {}, body: Buffer.from(verdict.body) });
    },
  };
  check = new HumanCheck(
    { values: () => options } as unknown as OptionsService,
    client as unknown as OutboundClient,
    memoryRateLimiter(new FakeClock()),
    { turnstileVerifyUrl: 'https://check.example/verify' } as Env,
  );
});

async function refusalOf(
  action: HumanAction = 'login',
  token = `token-${(tokens += 1)}`,
): Promise<string | undefined> {
  try {
    await check.assert({ token, action, ip: '203.0.113.7', host: 'gate.example:3000' });
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

describe('HumanCheck', () => {
  it('sends no request while it is switched off', async () => {
    options = { ...options, TurnstileCheckEnabled: false };
    expect(await refusalOf('login', '')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('sends the secret, the token and the address to the service', async () => {
    expect(await refusalOf('login', 'given')).toBeUndefined();
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      secret: 'site secret',
      response: 'given',
      remoteip: '203.0.113.7',
    });
  });

  it.each([
    ['', 'human_check_required'],
    [' given', 'human_check_failed'],
    ['x'.repeat(2_049), 'human_check_failed'],
  ])('refuses the token %j without asking the service', async (token, refusal) => {
    expect(await refusalOf('login', token)).toBe(refusal);
    expect(asked).toEqual([]);
  });

  it('takes a token once, also when the service would take it again', async () => {
    expect(await refusalOf('login', 'given')).toBeUndefined();
    expect(await refusalOf('login', 'given')).toBe('human_check_failed');
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['login', 'login', true],
    ['login', 'register', false],
    ['register', 'verification', false],
    ['verification', 'register', true],
    ['verification', 'bind', true],
    ['reset', 'reset', true],
    ['reset', '', true],
  ] as const)('%s with a token made for %j: %s', async (action, madeFor, isTaken) => {
    says({ success: true, action: madeFor });
    expect(await refusalOf(action)).toBe(isTaken ? undefined : 'human_check_failed');
  });

  it.each([
    ['', 'gate.example', true],
    ['', 'GATE.example', true],
    ['', 'evil.example', false],
    ['https://console.example/x', 'console.example', true],
    ['https://console.example/x', 'gate.example', false],
  ])('takes with the address %j a token made at %s: %s', async (ServerAddress, hostname, isTaken) => {
    options = { ...options, ServerAddress };
    says({ success: true, hostname });
    expect(await refusalOf()).toBe(isTaken ? undefined : 'human_check_failed');
  });

  it('believes a refusal whatever its status, and no server error', async () => {
    says({ success: false }, 400);
    expect(await refusalOf('register')).toBe('human_check_failed');
    says({ success: true }, 500);
    expect(await refusalOf('register')).toBe('human_check_away');
    verdict = { status: 200, body: 'no JSON' };
    expect(await refusalOf('register')).toBe('human_check_away');
  });

  it('lets five logins of a network through while the service is away, and nothing else', async () => {
    verdict = null;
    for (const action of ['register', 'verification', 'reset'] as const)
      expect(await refusalOf(action)).toBe('human_check_away');
    for (let login = 0; login < 5; login += 1) expect(await refusalOf()).toBeUndefined();
    expect(await refusalOf()).toBe('too_many_requests');
  });
});
