import { AsyncLocalStorage } from 'node:async_hooks';

/** Origin of an action, as far as the running request has it. */
export interface AuditOrigin {
  readonly ip: string;
  readonly requestId: string;
  readonly actor: { readonly id: number; readonly role: number; readonly username: string } | null;
}

const current = new AsyncLocalStorage<AuditOrigin>();

/** Runs `work`; audit rows recorded meanwhile carry the origin. */
export function withAuditOrigin<T>(origin: AuditOrigin, work: () => T): T {
  return current.run(origin, work);
}

/** Undefined outside a request. */
export const currentAuditOrigin = (): AuditOrigin | undefined => current.getStore();
