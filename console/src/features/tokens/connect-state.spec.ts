import { describe, expect, it } from '@jest/globals';
import { connectState, type TokenActivity } from './connect-state';

const call = (at: number) => ({ at, model: 'gpt-4o', request_id: 'r-1' });
const refusal = (at: number, kind = 'model-refused') => ({ at, kind, message: 'not this one' });
const state = (activity: Partial<TokenActivity>, status = 1) =>
  connectState({ status }, { last_call: null, last_refusal: null, ...activity });

describe('connectState', () => {
  it('waits until there is a call or a refusal', () => {
    expect(state({})).toEqual({ kind: 'waiting' });
    expect(connectState({ status: 1 }, undefined)).toEqual({ kind: 'waiting' });
  });

  it('shows the later of call and refusal, and of one second the call', () => {
    expect(state({ last_call: call(5), last_refusal: refusal(4) })).toEqual({
      kind: 'connected',
      at: 5,
      model: 'gpt-4o',
      requestId: 'r-1',
    });
    expect(state({ last_call: call(5), last_refusal: refusal(5) }).kind).toBe('connected');
    expect(state({ last_call: call(5), last_refusal: refusal(6) })).toEqual({
      kind: 'refused',
      at: 6,
      reason: 'model',
      message: 'not this one',
    });
  });

  it.each([
    ['unauthenticated', 'key'],
    ['address-refused', 'address'],
    ['price-missing', 'model'],
    ['quota-insufficient', 'quota'],
    ['rate-limited', 'rate'],
    ['upstream-timeout', 'upstream'],
    ['invalid-request', 'request'],
  ])('groups a refusal of kind %s as %s', (kind, reason) => {
    expect(state({ last_refusal: refusal(1, kind) })).toMatchObject({ reason });
  });

  it.each([
    [2, 'disabled'],
    [3, 'expired'],
    [4, 'exhausted'],
  ])('shows before any call that a token of status %d is %s', (status, word) => {
    expect(state({}, status)).toEqual({ kind: 'closed', status: word });
  });
});
