import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Revisions } from '../events/revisions.js';
import { DegradedModes } from '../observability/degraded-modes.js';
import { RateLimitedFaults } from '../observability/rate-limited-faults.js';
import { Interval } from '../schedule/interval.js';
import { DatabaseHistory } from './database-history.js';
import { type HistoryState, isSame, type SeenHistory } from './history-state.js';
import { StoredHistory } from './stored-history.js';
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

const CHECK_INTERVAL_MS = 2_000;
/** Longest time a known row may be missing: the connection may lead to a replica that is a moment behind. */
const MAY_BE_MISSING_MS = 5_000;
/** One look that finds something gone may be an accident. */
const LOOKS_TO_BELIEVE = 3;
const LOOK_AGAIN_MS = MAY_BE_MISSING_MS / LOOKS_TO_BELIEVE;
/** The file is for the next start; the workers and the shared store remember meanwhile. */
const WRITE_EVERY_MS = 10_000;
/** Acceptances that are remembered. */
const MAX_ACCEPTANCES = 50;

const MODE = 'database-behind';

/**
 * Notices a database that lost what was already seen of it: put back from a copy under running workers, exchanged for another, failed over
 * to a replica that lacked the last transactions. This worker, the shared store and a file in DATA_DIR remember the newest row of
 * what only grows; a database without one of them is behind until it has it again, or an operator accepts the loss.
 */
@Injectable()
export class RollbackWatch implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('History');
  private readonly faults: RateLimitedFaults;
  private installation = '';
  private seen: SeenHistory | undefined;
  /** State at the last writing, and the text written then. */
  private settled: SeenHistory | undefined;
  private written = '';
  private writtenAtMs = Number.NEGATIVE_INFINITY;
  private missing: { readonly sinceMs: number; readonly looks: number } | null = null;
  private looking: Promise<void> | undefined;
  private isStopped = false;
  private readonly reconnects: ReconnectCheck;

  constructor(
    private readonly database: DatabaseHistory,
    private readonly stored: StoredHistory,
    private readonly modes: DegradedModes,
    private readonly revisions: Revisions,
    private readonly clock: Clock,
  ) {
    this.faults = new RateLimitedFaults(clock, (line) => this.logger.warn(line));
    this.reconnects = new ReconnectCheck({
      clock,
      look: () => this.lookAfresh(),
      isInDoubt: () => this.isInDoubt,
      lookAgainMs: LOOK_AGAIN_MS,
    });
  }

  /**
   * The wait of a paid call after a reconnect, with true when the database is behind. Undefined = nothing changed since the last look.
   * Never rejects.
   */
  whenChecked(): Promise<boolean> | undefined {
    return this.reconnects.wait()?.then(() => this.modes.has(MODE));
  }

  /** Nothing is served before it is known whether this is the database of before. Fails: with the database's error. */
  async onModuleInit(): Promise<void> {
    this.installation = await this.database.installation();
    const kept = this.stored.file.read();
    // DATA_DIR may be that of an installation that is gone.
    this.seen = kept?.installation === this.installation ? kept : undefined;
    await this.look();
    while (this.isInDoubt) {
      await new Promise<void>((resolve) => this.clock.after(LOOK_AGAIN_MS, resolve));
      await this.look();
    }
    this.database.onConnectionChange(this.reconnects);
  }

  /** Writes the current knowledge for the next start. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.look().catch(() => undefined);
    this.keep(this.seen);
  }

  /** Never fails: that the database is away is reported elsewhere. */
  @Interval('history', CHECK_INTERVAL_MS)
  async lookAgain(): Promise<void> {
    if (this.isStopped) return;
    await this.look().catch((error: unknown) =>
      this.logger.debug(`could not look at the database: ${String(error)}`),
    );
  }

  /** One look. Looks at the same time are one. Fails: with the database's error; what is known stays. */
  look(): Promise<void> {
    this.looking ??= this.lookNow().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  /** Looks after the running look, which may have read before the connections changed. */
  private async lookAfresh(): Promise<void> {
    await this.looking?.catch(() => undefined);
    await this.look();
  }

  /** Something is missing, and it is not believed yet. */
  private get isInDoubt(): boolean {
    return this.missing !== null && !this.modes.has(MODE);
  }

  private async lookNow(): Promise<void> {
    // Before the database: its answer after that cannot be older.
    const shared = await this.stored.recall(this.installation);
    const now = await this.database.read();
    const own = await this.database.lossOf(this.seen, now);
    const common = await this.database.lossOf(shared, now);
    const loss = own ?? common ?? this.database.exchange();
    if (loss === null) {
      this.missing = null;
      this.modes.set(MODE, null);
      return this.remember(now, shared);
    }
    this.recordLoss(loss);
    // A worker that starts now has no knowledge of its own, and the store may be emptied: each restores the other.
    if (this.seen !== undefined && own !== null && common === null) await this.stored.share(this.seen);
    else if (shared !== undefined && own === null && common !== null) this.seen = shared;
  }

  private recordLoss(loss: string): void {
    const nowMs = this.clock.monotonicMs();
    const { sinceMs, looks } = this.missing ?? { sinceMs: nowMs, looks: 0 };
    this.missing = { sinceMs, looks: looks + 1 };
    const isBelieved = looks + 1 >= LOOKS_TO_BELIEVE && nowMs - sinceMs >= MAY_BE_MISSING_MS;
    if (isBelieved || this.modes.has(MODE)) this.modes.set(MODE, loss);
  }

  private async remember(now: HistoryState, shared: SeenHistory | undefined): Promise<void> {
    const before = this.seen;
    const known = [...(shared?.acceptances ?? []), ...(before?.acceptances ?? [])];
    const acceptances = [...new Set(known.filter((name) => name !== now.acceptance)), now.acceptance];
    const { installation, marks } = now;
    const seen = { installation, acceptances: acceptances.slice(-MAX_ACCEPTANCES), marks };
    this.seen = seen;
    const isAccepted = before !== undefined && !before.acceptances.includes(now.acceptance);
    if (isAccepted) await this.startAnew();
    if (shared === undefined || !isSame(shared.marks, marks) || shared.acceptances.at(-1) !== now.acceptance)
      await this.stored.share(seen);
    if (isAccepted || this.clock.monotonicMs() - this.writtenAtMs >= WRITE_EVERY_MS)
      this.keep(isAccepted ? seen : this.settled);
  }

  /** Numbers of settings may have been given twice: what is in force is read again whatever their values. */
  private async startAnew(): Promise<void> {
    this.logger.warn('an operator accepted the state of the database');
    await this.revisions.refresh('options');
    await this.revisions.refresh('channels');
  }

  /** @param seen  a state settled a while ago: a power cut may take the last commits back, without any copy being restored */
  private keep(seen: SeenHistory | undefined): void {
    this.settled = this.seen;
    this.writtenAtMs = this.clock.monotonicMs();
    const text = JSON.stringify(seen);
    if (seen === undefined || text === this.written) return;
    try {
      this.stored.file.write(text);
      this.written = text;
    } catch (error) {
      this.faults.record('what was seen of the database could not be kept in DATA_DIR', String(error));
    }
  }
}
