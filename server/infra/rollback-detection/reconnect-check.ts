import type { Clock } from '../../common/clock.js';
import type { ConnectionListener } from '../database/connection-changes.js';

/** A call waits this long for the first look: a database that is away answers none. */
const MAX_FIRST_LOOK_MS = 2_000;
/** A call waits this long when something is missing, until that is believed. */
const MAX_DOUBT_MS = 8_000;
/** A look may be given a connection that is closing: so many fail before the database counts as away. */
const MAX_FAILURES = 3;
const RETRY_MS = 250;
/** Looks in a row at connections that were opened during the look before. */
const MAX_ROUNDS = 3;

interface CheckPorts {
  readonly clock: Clock;
  /** A look that begins now. Fails: with the database's error. */
  readonly look: () => Promise<void>;
  /** Something is missing, and it is not believed yet. */
  readonly isInDoubt: () => boolean;
  readonly lookAgainMs: number;
}

/**
 * Checks the database after its connections changed, before a paid call goes by it: a database that was put back from a copy is reached by
 * new connections only. A call waits for a bounded time; while the database is away calls go on as they do without it.
 */
export class ReconnectCheck implements ConnectionListener {
  private isUnknown = false;
  private checking: Promise<void> | undefined;
  private untilMs = 0;

  constructor(private readonly ports: CheckPorts) {}

  onLost(): void {
    this.isUnknown = true;
  }

  onOpened(): void {
    this.isUnknown = true;
    void this.begin();
  }

  /** Resolves when a paid call may go on; undefined = at once. Never rejects. */
  wait(): Promise<void> | undefined {
    if (!this.isUnknown && this.checking === undefined) return undefined;
    const checking = this.begin();
    return this.ports.clock.monotonicMs() < this.untilMs ? this.inTime(checking) : undefined;
  }

  private begin(): Promise<void> {
    if (this.checking !== undefined) return this.checking;
    this.untilMs = this.ports.clock.monotonicMs() + MAX_FIRST_LOOK_MS;
    this.checking = this.check().finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }

  private async check(): Promise<void> {
    const { clock, isInDoubt, lookAgainMs } = this.ports;
    try {
      for (let round = 0; round < MAX_ROUNDS && (round === 0 || this.isUnknown); round += 1) {
        this.isUnknown = false;
        await this.lookPatiently();
      }
      if (isInDoubt()) this.untilMs = clock.monotonicMs() + MAX_DOUBT_MS;
      while (isInDoubt()) {
        await this.pause(lookAgainMs);
        await this.lookPatiently();
      }
    } catch {
      // The database is away: the next connection to it is checked.
      this.isUnknown = false;
    }
  }

  /** Fails: with the database's error, when three looks in a row failed. */
  private async lookPatiently(): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.ports.look();
      } catch (error) {
        if (failures >= MAX_FAILURES) throw error;
        await this.pause(RETRY_MS);
      }
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.ports.clock.after(ms, resolve));
  }

  private async inTime(checking: Promise<void>): Promise<void> {
    const { clock } = this.ports;
    let isOver = false;
    void checking.then(() => {
      isOver = true;
    });
    for (let left = 1; left > 0 && !isOver; left = this.untilMs - clock.monotonicMs()) {
      const waitMs = Math.max(1, this.untilMs - clock.monotonicMs());
      let cancel: () => void = () => undefined;
      const timeout = new Promise<void>((resolve) => {
        cancel = clock.after(waitMs, resolve);
      });
      await Promise.race([checking, timeout]);
      cancel();
    }
  }
}
