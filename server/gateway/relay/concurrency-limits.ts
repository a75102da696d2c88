import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { refusal, type RefusalName } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';

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

/** What a caller is told. */
export const gateRefusal = (gate: ConcurrencyRefusal, retryAfterMs: number): RelayError => ({
  ...refusal(REFUSALS[gate]),
  retryAfterMs,
});

/**
 * How much this process takes on at once: calls whose body is being read, calls under way, bytes of bodies, calls of one
 * user. Asked before any I/O, answered in microseconds. Also what a shutdown waits for.
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

  /** Before the body is read. @param expectedBytes  content length; undefined = not told, the limit is assumed */
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

  /** Whether this process may take that many bytes more into memory. */
  hasRoomFor(bytes: number): boolean {
    return this.bodyBytes + bytes <= MAX_BODY_BYTES;
  }

  /** Bytes that are kept beside the bodies of calls; negative = given back. */
  holdBytes(bytes: number): void {
    this.bodyBytes += bytes;
  }

  /**
   * A body begins to be read: many large ones that come slowly are memory all the same.
   * @param lengthBytes  undefined = not told: it is counted by `holdBytes` as it comes
   * @returns what to call, once, when it is read or cut off
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

  /** False = the user has as many calls under way as one user may. */
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

  /** The database lost what was seen of it: who may call, and with what money, is as it was before. */
  refuseBehind(isBehind: boolean): void {
    this.isBehind = isBehind;
  }

  /** Resolves when no call is under way. */
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
