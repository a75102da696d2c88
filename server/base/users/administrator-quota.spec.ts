import type { EntityManager } from 'typeorm';
import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { OPTION_FALLBACKS } from '../options/option-catalogue.js';
import type { OptionsService } from '../options/options.service.js';
import { AdministratorQuota } from './administrator-quota.js';

const withLimit = (limit: number) =>
  new AdministratorQuota(
    {
      values: () => ({ ...OPTION_FALLBACKS, AdministratorAdjustmentLimit: limit }),
    } as unknown as OptionsService,
    new FakeClock(),
  );

describe('AdministratorQuota', () => {
  it.each([
    [1_000, 1_000, 10, 'done'],
    [1_000, 1_001, 10, 'adjustment_too_large'],
    [1_000, -1_001, 10, 'adjustment_too_large'],
    [1_000, 1_001, 100, 'done'],
    [0, 1_001, 10, 'done'],
  ])('bounds by a limit of %i the amount %i of role %i: %s', (limit, amount, role, code) => {
    const attempt = () => withLimit(limit).assertAtOnce({ id: 2, role }, amount, 'adjustment_too_large');
    if (code === 'done') expect(attempt).not.toThrow();
    else expect(attempt).toThrow(expect.objectContaining({ code, values: { limit } }));
  });

  it.each([
    [{ id: 1, role: 100 }, 5],
    [{ id: 2, role: 10 }, 0],
    [{ id: 2, role: 10 }, -5],
  ])('counts nothing for %j adding %i', async (actor, amount) => {
    // A manager without a connection: any statement would fail.
    await expect(withLimit(0).count({} as EntityManager, actor, amount)).resolves.toBeUndefined();
  });
});
