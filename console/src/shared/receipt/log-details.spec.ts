import { describe, expect, it } from '@jest/globals';
import { detailsOf } from './log-details';

const read = (other: unknown) =>
  detailsOf({ other: typeof other === 'string' ? other : JSON.stringify(other) });

describe('detailsOf', () => {
  it.each(['', 'no JSON', 'null', '[]', '7', '"{}"'])('finds nothing in %j', (other) => {
    expect(read(other)).toEqual({});
  });

  it('distinguishes 0 from a missing value, and drops negative times', () => {
    expect(
      read({ frt: 0, duration_ms: -1_000, model_ratio: 0, model_price: -1, completion_ratio: null }),
    ).toMatchObject({
      frt: 0,
      duration_ms: undefined,
      model_ratio: 0,
      model_price: -1,
      completion_ratio: undefined,
    });
    expect(read({ frt: -1_000 }).frt).toBeUndefined();
  });

  it('leaves out what is of another kind, and keeps the rest', () => {
    expect(read({ request_path: 5, outcome: 'ok', cache_tokens: '7', user_group: ['vip'] })).toMatchObject({
      request_path: undefined,
      outcome: 'ok',
      cache_tokens: undefined,
      user_group: undefined,
    });
  });

  it('returns all warnings or none', () => {
    const warning = { setting: 'seed', reason: 'unsupported' };
    expect(read({ warnings: [warning, { ...warning, more: 1 }] }).warnings).toEqual([warning, warning]);
    expect(read({ warnings: [warning, { setting: 'seed' }] }).warnings).toBeUndefined();
    expect(read({ warnings: [] }).warnings).toEqual([]);
  });

  it('takes an event by its code, whatever else it holds', () => {
    expect(read({ event: { code: 'redeemed', redemption_id: 4, quota: '5' } }).event).toMatchObject({
      code: 'redeemed',
      redemption_id: 4,
      quota: undefined,
    });
    expect(read({ event: { redemption_id: 4 } }).event).toBeUndefined();
    expect(read({ event: { code: 'rolled', side: 'sideways' } }).event?.side).toBeUndefined();
  });

  it('shows administrators the channels that were tried, none where the answer lacks them', () => {
    expect(read({ admin_info: { use_channel: ['1', '2'] } }).admin_info).toEqual({
      use_channel: ['1', '2'],
      upstream_error: undefined,
    });
    expect(read({ admin_info: { use_channel: [1] } }).admin_info?.use_channel).toEqual([]);
    expect(read({ admin_info: null }).admin_info).toBeUndefined();
  });
});
