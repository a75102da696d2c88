import { Cluster, Command, Redis, ReplyError, type RedisOptions } from 'ioredis';
import type { Clock } from '../../common/clock.js';
import { parseRedisAddress } from '../../config/redis-address.js';
import { ScriptCommand } from './script-command.js';
import type { RedisScript } from './scripts/define-script.js';
import { StoreUnavailableError } from './shared-store.js';

export type RedisClient = Redis | Cluster;

const CONNECT_TIMEOUT_MS = 1_000;
/** Longest time any command may take before its caller goes on without Redis. */
const COMMAND_DEADLINE_MS = 250;
const TICKS_PER_DEADLINE = 4;
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 1_000;
const MAX_RECONNECT_PAUSE_MS = 1_000;

/** Opens a client; commands fail at once while there is no connection (no offline queue, nothing is sent twice). */
export function connectRedis(url: string, extra: { readonly isSubscriber?: boolean } = {}): RedisClient {
  const address = parseRedisAddress(url);
  const options: RedisOptions = {
    username: address.username,
    password: address.password,
    ...(address.isEncrypted ? { tls: {} } : {}),
    connectTimeout: CONNECT_TIMEOUT_MS,
    // A subscription is a wish that may wait for the connection; a command is not.
    enableOfflineQueue: extra.isSubscriber === true,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: extra.isSubscriber === true ? null : 0,
    retryStrategy: (times) => Math.min(50 * times, MAX_RECONNECT_PAUSE_MS),
  };
  if (address.form === 'cluster') {
    return new Cluster([...address.nodes], {
      redisOptions: options,
      enableOfflineQueue: options.enableOfflineQueue,
      // A single server needs none: what is frequent (place-batches.ts, returns) is gathered before it gets here.
      enableAutoPipelining: extra.isSubscriber !== true,
      clusterRetryStrategy: options.retryStrategy,
    });
  }
  if (address.form === 'sentinel') {
    return new Redis({
      ...options,
      sentinels: [...address.sentinels],
      sentinelUsername: address.sentinelAccess.username,
      sentinelPassword: address.sentinelAccess.password,
      name: address.master,
      db: address.database,
      // Without these two the master and the sentinels are used without encryption, whatever `tls` is.
      enableTLSForSentinelMode: address.isEncrypted,
      ...(address.isEncrypted ? { sentinelTLS: {} } : {}),
    });
  }
  return new Redis({ ...options, host: address.host, port: address.port, db: address.database });
}

const NOT_LOOKED_AT = { reason: 'it was not looked at yet', isLasting: false };

/**
 * Deadline and breaker around every command: 250 ms each, open after five failures in a row. Any error of Redis counts as "away";
 * one that concerns the server as a whole (read-only, out of memory, loading) opens it at once: such a server may still answer
 * reads, and money that was set aside for a pool it then refuses takes two more trips to the database. Of a cluster one node may be
 * full and the others well. While it is open one write a second finds out whether Redis is back: no caller waits for that.
 */
export class RedisConnection {
  private failures = 0;
  private openedBy: string | null = null;
  private stopProbing: () => void = () => undefined;
  private readonly waiting = new Set<{ readonly lastTick: number; readonly expire: () => void }>();
  private ticks = 0;
  private stopTicking: (() => void) | undefined;
  private isClosed = false;
  /** Reason all commands are blocked, although the server may answer; null = none. */
  private distrusted: { readonly reason: string; readonly isLasting: boolean } | null = NOT_LOOKED_AT;

  constructor(
    readonly client: RedisClient,
    private readonly clock: Clock,
    private readonly probeKey: string,
    private readonly deadlineMs = COMMAND_DEADLINE_MS,
  ) {}

  get isOpen(): boolean {
    return this.openedBy !== null;
  }

  /** Reason callers are refused; null = they are not. */
  get fault(): string | null {
    return this.openedBy;
  }

  /** True when the connected server was checked and is ours. */
  get isTrusted(): boolean {
    return this.distrusted === null;
  }

  /** Reason it is not ours, if known. */
  get misplaced(): string | null {
    return this.distrusted?.isLasting === true ? this.distrusted.reason : null;
  }

  markUsable(): void {
    this.distrusted = null;
  }

  /** Blocks commands until `trust`. Without a reason: the connected server has to be checked. */
  markUnusable(reason?: string, isLasting = false): void {
    this.distrusted = reason === undefined ? NOT_LOOKED_AT : { reason, isLasting };
  }

  /** One question to find out whether the other end is to be trusted. Fails: StoreUnavailableError. */
  async ask<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await this.within(command());
    } catch (cause) {
      if (cause instanceof StoreUnavailableError) throw cause;
      throw new StoreUnavailableError('the shared store did not answer', { cause });
    }
  }

  /** Fails: StoreUnavailableError; then the command may or may not have run. */
  async run<T>(command: () => Promise<T>): Promise<T> {
    if (this.isOpen || !this.isTrusted)
      throw new StoreUnavailableError('the shared store is away', { isUntouched: true });
    try {
      const value = await this.within(command());
      this.failures = 0;
      return value;
    } catch (cause) {
      this.failures += 1;
      const isUntouched = isRefusal(cause);
      const isLasting = isUntouched && !(this.client instanceof Cluster);
      if ((isLasting || this.failures >= FAILURES_TO_OPEN) && !this.isOpen) this.open(cause);
      if (cause instanceof StoreUnavailableError) throw cause;
      throw new StoreUnavailableError('the shared store did not answer', { cause, isUntouched });
    }
  }

  script(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.written(script, ScriptCommand.of(keys, args));
  }

  /** Like `script`, for callers that have serialised keys and arguments already. */
  written(script: RedisScript, text: ScriptCommand): Promise<unknown> {
    return this.run(async () => {
      try {
        return await this.send(text.command('evalsha', script.sha), text.firstKey);
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        // EVAL goes to the node that lacks the script and leaves it there.
        return await this.send(text.command('eval', script.lua), text.firstKey);
      }
    });
  }

  private send(text: string, firstKey: string): Promise<unknown> {
    return this.client.sendCommand(new WrittenCommand(text, firstKey)) as Promise<unknown>;
  }

  /** Asks at once whether Redis is back: a connection was made again. */
  probe(): void {
    if (!this.isOpen) return;
    this.stopProbing();
    if (!this.isTrusted) return this.open(this.openedBy);
    // A write: a replica, or a server without memory, answers questions as if nothing were wrong.
    this.within(this.client.set(this.probeKey, '1', 'PX', OPEN_MS)).then(
      () => {
        this.openedBy = null;
        this.failures = 0;
      },
      (cause: unknown) => {
        this.open(cause);
      },
    );
  }

  close(): void {
    this.isClosed = true;
    this.stopProbing();
    this.stopTicking?.();
    for (const wait of this.waiting) wait.expire();
    this.waiting.clear();
  }

  private open(cause: unknown): void {
    if (this.isClosed) return;
    this.openedBy = cause instanceof Error ? cause.message : String(cause);
    this.stopProbing = this.clock.after(OPEN_MS, () => this.probe());
  }

  /**
   * One coarse timer for all commands: cheaper than one each, exact to a quarter of the deadline. It counts its own turns, not the time
   * between them: answers that came while this process stood still are read before the next turn, and are not late.
   */
  private within<T>(answer: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const wait = {
        // A tick that has already started may end at once.
        lastTick: this.ticks + TICKS_PER_DEADLINE + (this.stopTicking === undefined ? 0 : 1),
        expire: () => reject(new StoreUnavailableError('the shared store took too long')),
      };
      this.waiting.add(wait);
      this.tick();
      answer.then(
        (value) => {
          this.waiting.delete(wait);
          resolve(value);
        },
        (cause: unknown) => {
          this.waiting.delete(wait);
          reject(cause as Error);
        },
      );
    });
  }

  private tick(): void {
    if (this.stopTicking !== undefined) return;
    this.stopTicking = this.clock.after(this.deadlineMs / TICKS_PER_DEADLINE, () => {
      this.stopTicking = undefined;
      this.ticks += 1;
      for (const wait of this.waiting) {
        if (wait.lastTick > this.ticks) break;
        this.waiting.delete(wait);
        wait.expire();
      }
      if (this.waiting.size > 0) this.tick();
    });
  }
}

/**
 * Errors Redis returns before it does anything. A script is refused as a whole: full memory stops none that has written already,
 * and nothing else of these begins in the middle of one. (`NOPERM` may, with a right to some of its commands.)
 */
const REFUSALS = /^(OOM|READONLY|LOADING|MISCONF|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|NOAUTH|BUSY) /;

const isRefusal = (cause: unknown): boolean =>
  cause instanceof ReplyError && REFUSALS.test((cause as Error).message);

/** A call of a script that stands as it is sent. */
class WrittenCommand extends Command {
  constructor(
    private readonly text: string,
    firstKey: string,
  ) {
    // A cluster looks here for the node: a script's name, the number of keys, the keys.
    super('evalsha', ['', '1', firstKey], { replyEncoding: 'utf8' });
  }

  override toWritable(): string {
    return this.text;
  }
}
