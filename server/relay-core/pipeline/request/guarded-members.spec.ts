import { describe, expect, it } from '@jest/globals';
import { guardedFields } from './attempt-plan.js';

describe('guardedMembers', () => {
  it('keeps back members that cost more, identify the caller or open the operator’s data, unless the channel allows it', () => {
    expect(guardedFields({})).toEqual([
      'service_tier',
      'inference_geo',
      'speed',
      'safety_identifier',
      'data_sources',
    ]);
    const vendor = { allow_service_tier: true, allow_speed: 'yes', disable_store: true };
    expect(guardedFields({ vendor })).toEqual([
      'inference_geo',
      'speed',
      'safety_identifier',
      'data_sources',
      'store',
    ]);
  });

  it('keeps back what is searched with the rights of the channel', () => {
    expect(guardedFields({ vendor: { allow_foreign_ids: true } })).not.toContain('data_sources');
    expect(guardedFields({ vendor: { allow_foreign_ids: false } })).toContain('data_sources');
  });
});
