import type { PendingSteps } from '../../server/infra/steps/pending-steps.js';

export type StepContent = Parameters<PendingSteps['put']>[1];

/** Steps in memory that last for ever. */
export function memoryPendingSteps(steps = new Map<string, StepContent>()): PendingSteps {
  const store: Pick<PendingSteps, 'put' | 'look' | 'take' | 'drop'> = {
    put: async (key, value) => void steps.set(key, value),
    look: async (key) => steps.get(key),
    take: async (key) => {
      const value = steps.get(key);
      steps.delete(key);
      return value;
    },
    drop: async (key) => void steps.delete(key),
  };
  return store as PendingSteps;
}
