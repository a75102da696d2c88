import { expect, it } from '@jest/globals';
import { StoreUnavailableError } from '../../infra/shared-store/shared-store.js';
import { guarded } from './flow-state.js';

it('refuses what cannot be remembered, and leaves other faults as they are', async () => {
  await expect(guarded(Promise.reject(new StoreUnavailableError('away')))).rejects.toMatchObject({
    code: 'store_unavailable',
  });
  const bug = new TypeError('a bug');
  await expect(guarded(Promise.reject(bug))).rejects.toBe(bug);
  await expect(guarded(Promise.resolve(7))).resolves.toBe(7);
});
