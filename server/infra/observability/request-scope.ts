import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/** Runs `work`; what it logs carries the id of the request. */
export function runInRequest<T>(requestId: string, work: () => T): T {
  return current.run(requestId, work);
}

/** Undefined outside a request of the console; calls of the relay name their id themselves. */
export const currentRequestId = (): string | undefined => current.getStore();
