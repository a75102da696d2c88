import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Revisions } from '../events/revisions.js';
import { DegradedModes } from '../observability/degraded-modes.js';
import { RateLimitedFaults } from '../observability/rate-limited-faults.js';
import { Interval } from '../schedule/interval.js';
import { DatabaseHistory } from './database-history.js';
import { type HistoryState, isSame, type SeenHistory } from './history-state.js';
import { ReconnectCheck } from './reconnect-check.js';
import { StoredHistory } from './stored-history.js';

const CHECK_INTERVAL_MS = 2_000;
/** What was seen may be missing for this long: the connection may lead to a replica that is a moment behind. */
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
  /** What was seen at the last writing, and what was written then. */
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

  /** What is known now is there at the next start. */
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
    // Before the database: what it says after that cannot be older.
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
    // Whoever starts now cannot have seen it himself, and the store may be emptied: each tells the other.
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

  /** Numbers of settings may have been given twice: what is in force is read again whatever they say. */
  private async startAnew(): Promise<void> {
    this.logger.warn('an operator accepted the state of the database');
    await this.revisions.refresh('options');
    await this.revisions.refresh('channels');
  }

  /** @param seen  what was settled a while ago: a power cut may take the last commits back, and that is nobody's copy */
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
