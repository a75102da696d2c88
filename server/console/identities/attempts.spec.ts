import type { FastifyRequest } from 'fastify';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../test/support/memory-rate-limiter.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { assertOwnPage, IdentityAttempts } from './attempts.js';

const IP = '203.0.113.7';
const OTHER_IP = '203.0.113.8';
const REFUSAL = new DomainError('identity_state_invalid');
let clock: FakeClock;
let attempts: IdentityAttempts;

beforeEach(() => {
  clock = new FakeClock();
  attempts = new IdentityAttempts(memoryRateLimiter(clock));
});

const refuse = (ip = IP, error: Error = REFUSAL) => attempts.run(ip, () => Promise.reject(error));

describe('IdentityAttempts', () => {
  it('stops a network after thirty refusals, whatever it tries then, until the window has passed', async () => {
    for (let time = 0; time < 30; time += 1) await expect(refuse()).rejects.toBe(REFUSAL);
    await expect(attempts.run(IP, async () => 'in')).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(await attempts.run(OTHER_IP, async () => 'in')).toBe('in');
    clock.advance(1_200_001);
    expect(await attempts.run(IP, async () => 'in')).toBe('in');
  });

  it('counts neither what succeeds nor faults of ours', async () => {
    const fault = new Error('the database is away');
    for (let time = 0; time < 40; time += 1) {
      await attempts.run(IP, async () => 'in');
      await expect(refuse(IP, fault)).rejects.toBe(fault);
    }
    expect(await attempts.run(IP, async () => 'in')).toBe('in');
  });

  it('lets a network type ten codes, and an account ten from wherever it is', async () => {
    for (let time = 0; time < 10; time += 1) await attempts.typedCode(IP);
    await expect(attempts.typedCode(IP)).rejects.toMatchObject({ code: 'too_many_requests' });
    for (let time = 0; time < 10; time += 1) await attempts.typedCode(`198.51.100.${time}`, 7);
    await expect(attempts.typedCode('198.51.100.99', 7)).rejects.toMatchObject({ code: 'too_many_requests' });
    await attempts.typedCode('198.51.100.99', 8);
  });
});

describe('assertOwnPage', () => {
  const request = (site: string | undefined) =>
    ({ headers: site === undefined ? {} : { 'sec-fetch-site': site } }) as unknown as FastifyRequest;

  it.each([undefined, 'same-origin'])('lets a request with Sec-Fetch-Site %s through', (site) => {
    expect(() => assertOwnPage(request(site))).not.toThrow();
  });

  it.each(['cross-site', 'same-site', 'none', ''])('refuses one with Sec-Fetch-Site %j', (site) => {
    expect(() => assertOwnPage(request(site))).toThrow('foreign_origin');
  });
});
