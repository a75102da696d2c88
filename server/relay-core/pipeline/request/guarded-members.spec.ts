import { describe, expect, it } from '@jest/globals';
import { guardedMembers } from './guarded-members.js';

describe('guardedMembers (relay reference 3.8)', () => {
  it('keeps back what costs more or tells who asks, unless the channel allows it', () => {
    expect(guardedMembers({})).toEqual(['service_tier', 'inference_geo', 'speed', 'safety_identifier']);
    const vendor = { allow_service_tier: true, allow_speed: 'yes', disable_store: true };
    expect(guardedMembers({ vendor })).toEqual(['inference_geo', 'speed', 'safety_identifier', 'store']);
  });
});
