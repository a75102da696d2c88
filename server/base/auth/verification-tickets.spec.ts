import { describe, expect, it } from '@jest/globals';
import { memoryPendingSteps, type StepContent } from '../../../test/support/memory-pending-steps.js';
import { VerificationTickets } from './verification-tickets.js';

describe('StepTickets', () => {
  it('returns the content once when it is taken, and as often as it is read before', async () => {
    const tickets = new VerificationTickets(memoryPendingSteps());
    const ticket = await tickets.issue('login', { userId: 7 }, 1_000);
    expect(await tickets.look('login', ticket)).toEqual({ userId: 7 });
    expect(await tickets.take('login', ticket)).toEqual({ userId: 7 });
    expect(await tickets.take('login', ticket)).toBeUndefined();
  });

  it('finds no ticket of another kind', async () => {
    const tickets = new VerificationTickets(memoryPendingSteps());
    const ticket = await tickets.issue('login', { userId: 7 }, 1_000);
    expect(await tickets.look('passkey', ticket)).toBeUndefined();
    expect(await tickets.take('passkey', ticket)).toBeUndefined();
  });

  it('keeps no ticket itself, and makes another each time', async () => {
    const kept = new Map<string, StepContent>();
    const tickets = new VerificationTickets(memoryPendingSteps(kept));
    const made = [await tickets.issue('login', 1, 1_000), await tickets.issue('login', 1, 1_000)];
    expect(new Set(made).size).toBe(2);
    expect(made[0]).toMatch(/^[\w-]{43}$/);
    for (const ticket of made) expect([...kept.keys()].join()).not.toContain(ticket);
  });
});
