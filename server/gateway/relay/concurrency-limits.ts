import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { refusal, type RefusalName } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { fail, type Result } from '../../common/result.js';
import type { Caller, CallShape } from '../../relay-core/model/call.js';
import type { AdmissionControl } from '../../relay-core/ports/admission-control.js';
import type { RateWindow } from '../../relay-core/ports/quota-holds.js';

/** Calls in one process: being prepared, running, and the bytes of their bodies. Beyond it a call is answered 503. */
const MAX_PREPARING = 500;
const MAX_CALLS = 5_000;
const MAX_BODY_BYTES = 512 * 1024 * 1024;
/**
 * Agents and load tests open a thousand streams with one key, and holds bound what they may spend. The limit only keeps
 * one user from filling the process, so it is two fifths of all calls.
 */
const MAX_PER_USER = 2_000;

export type ConcurrencyRefusal = 'draining' | 'full' | 'off' | 'behind';

const REFUSALS = {
  draining: 'restarting',
  full: 'gateway-full',
  behind: 'database-behind',
  off: 'calls-off',
} as const satisfies Readonly<Record<ConcurrencyRefusal, RefusalName>>;

/** Refusal a caller gets. */
export const gateRefusal = (gate: ConcurrencyRefusal, retryAfterMs: number): RelayError => ({
  ...refusal(REFUSALS[gate]),
  retryAfterMs,
});

/**
 * Limits of one process: calls whose body is being read, running calls, bytes of bodies, calls of one user. Checked before any I/O,
 * within microseconds. A shutdown waits for them too.
 */
@Injectable()
export class ConcurrencyLimits {
  private preparing = 0;
  private calls = 0;
  private bodyBytes = 0;
  private isDraining = false;
  private isShedding = false;
  private isOff = false;
  private isBehind = false;
  private readonly callsByUser = new Map<number, number>();
  private readonly idleListeners = new Set<() => void>();

  constructor(private readonly env: Env) {}

  get activeCalls(): number {
    return this.calls;
  }

  /** Checked before the body is read. @param expectedBytes  content length; undefined = unknown, the limit is assumed */
  refusal(expectedBytes: number | undefined): ConcurrencyRefusal | null {
    if (this.isDraining) return 'draining';
    if (this.isBehind) return 'behind';
    if (this.isOff) return 'off';
    const bytes = expectedBytes ?? this.env.maxRequestBodyBytes;
    const isFull =
      this.isShedding ||
      this.preparing >= MAX_PREPARING ||
      this.calls >= MAX_CALLS ||
      !this.hasRoomFor(bytes);
    return isFull ? 'full' : null;
  }

  /** True when this process may hold that many bytes more in memory. */
  hasRoomFor(bytes: number): boolean {
    return this.bodyBytes + bytes <= MAX_BODY_BYTES;
  }

  /** Bytes that are kept beside the bodies of calls; negative = given back. */
  holdBytes(bytes: number): void {
    this.bodyBytes += bytes;
  }

  /**
   * Counts a body whose reading begins: many large, slow ones take memory all the same.
   * @param lengthBytes  undefined = unknown: `holdBytes` counts it as it comes
   * @returns function to call, once, when it is read or cut off
   */
  beginPreparing(lengthBytes: number | undefined): () => void {
    const bytes = lengthBytes ?? 0;
    this.preparing += 1;
    this.bodyBytes += bytes;
    return () => {
      this.preparing -= 1;
      this.bodyBytes -= bytes;
    };
  }

  beginCall(bodyBytes: number): void {
    this.calls += 1;
    this.bodyBytes += bodyBytes;
  }

  endCall(bodyBytes: number): void {
    this.calls -= 1;
    this.bodyBytes -= bodyBytes;
    if (this.calls === 0) for (const listener of this.idleListeners) listener();
  }

  /** False = the user has the maximum number of running calls. */
  acquireUser(userId: number): boolean {
    const count = this.callsByUser.get(userId) ?? 0;
    if (count >= MAX_PER_USER) return false;
    this.callsByUser.set(userId, count + 1);
    return true;
  }

  releaseUser(userId: number): void {
    const count = this.callsByUser.get(userId) ?? 0;
    if (count <= 1) this.callsByUser.delete(userId);
    else this.callsByUser.set(userId, count - 1);
  }

  /** From now on new calls are answered 503; running ones go on. */
  startDraining(): void {
    this.isDraining = true;
  }

  /** While the process is overloaded new calls are answered 503. */
  shed(isShedding: boolean): void {
    this.isShedding = isShedding;
  }

  /** The operator switched calls off, or on again. */
  switchOff(isOff: boolean): void {
    this.isOff = isOff;
  }

  /** The database was rolled back: callers and their balances are as they were before. */
  refuseBehind(isBehind: boolean): void {
    this.isBehind = isBehind;
  }

  /** Resolves when no call is running. */
  async whenIdle(): Promise<void> {
    if (this.calls === 0) return;
    await new Promise<void>((resolve) => {
      const listener = (): void => {
        this.idleListeners.delete(listener);
        resolve();
      };
      this.idleListeners.add(listener);
    });
  }
}

const RETRY_AFTER_MS = 1_000;

/** Admission control as one call sees it: the first to know the caller, so the place where the number of calls of one user is held. */
export class UserConcurrency implements AdmissionControl {
  private userId: number | undefined;
  private admitted: Caller | undefined;

  constructor(
    private readonly admission: AdmissionControl,
    private readonly gates: ConcurrencyLimits,
  ) {}

  /** Caller; undefined until the pipeline knows. */
  get caller(): Caller | undefined {
    return this.admitted;
  }

  admit(caller: Caller, shape: CallShape): Result<readonly RateWindow[], RelayError> {
    if (this.userId === undefined) {
      if (!this.gates.acquireUser(caller.userId)) {
        return fail({ ...refusal('account-busy'), retryAfterMs: RETRY_AFTER_MS });
      }
      this.userId = caller.userId;
    }
    this.admitted = caller;
    return this.admission.admit(caller, shape);
  }

  countRequest(caller: Caller): ReturnType<AdmissionControl['countRequest']> {
    return this.admission.countRequest(caller);
  }

  recordSuccess(caller: Caller): void {
    this.admission.recordSuccess(caller);
  }

  /** The call is over. */
  leave(): void {
    if (this.userId !== undefined) this.gates.releaseUser(this.userId);
  }
}
