import type { PendingVerifications } from '../../server/infra/pending-verifications/pending-verifications.js';

export type StepContent = Parameters<PendingVerifications['put']>[1];

/** Steps in memory that last for ever. */
export function memoryPendingSteps(steps = new Map<string, StepContent>()): PendingVerifications {
  const store: Pick<PendingVerifications, 'put' | 'look' | 'take' | 'drop'> = {
    put: async (key, value) => void steps.set(key, value),
    look: async (key) => steps.get(key),
    take: async (key) => {
      const value = steps.get(key);
      steps.delete(key);
      return value;
    },
    drop: async (key) => void steps.delete(key),
  };
  return store as PendingVerifications;
}
