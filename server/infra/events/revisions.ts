import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { runInSnapshot } from '../database/run-in-transaction.js';
import { DegradedModes } from '../observability/degraded-modes.js';
import { RateLimitedFaults } from '../observability/rate-limited-faults.js';
import { Interval } from '../schedule/interval.js';
import type { RevisionName } from './bump-revision.js';
import { ChangeFeed } from './change-feed.js';
import { RevisionEntity } from './revision.entity.js';

/** Longest time until an instance notices a change whose message it missed. */
const POLL_MS = 5_000;

/** A part that was read and compiled, ready to be put in force. */
export interface PreparedPart {
  /** Parts that could not be used, so that their last good value stays; null = none. */
  readonly complaint: string | null;
  /** Puts it in force. At once, and without failing: all parts switch in the same turn of the event loop. */
  apply(): void;
}

/** One part of what every instance keeps in memory. */
export interface RevisedPart {
  readonly name: RevisionName;
  /** Fetches what may come from elsewhere than the database, before the snapshot is opened. Fails: with the database's error. */
  prefetch?(): Promise<void>;
  /** Reads the part on one consistent state of the database and compiles it; nothing is changed yet. */
  prepare(manager: EntityManager): Promise<PreparedPart>;
  /** True when it changed without being counted: by an earlier program, or by hand. Checked at every poll. */
  hasDrifted(): Promise<boolean>;
}

type Numbers = ReadonlyMap<string, number>;

/**
 * The shared settings of this instance under one number. Options (with the prices in them) and channels are read on one state of
 * the database, compiled, and switched together: code that reads all of them in one turn never sees two states. A change is counted
 * in SQL by the transaction that makes it (`bumpRevision`), announced by the change feed, and polled in case the message is lost.
 */
@Injectable()
export class Revisions implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Revisions');
  private readonly parts = new Map<RevisionName, RevisedPart>();
  private readonly complaints = new Map<RevisionName, string>();
  private readonly suspected = new Set<RevisionName>();
  private readonly stopListening: readonly (() => void)[];
  private applied: Numbers = new Map();
  private switchedAtMs = 0;
  private refreshing: Promise<void> | undefined;
  private isStale = false;
  private readonly faults: RateLimitedFaults;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly modes: DegradedModes,
    private readonly feed: ChangeFeed,
  ) {
    this.faults = new RateLimitedFaults(clock, (line) => this.logger.warn(line));
    this.stopListening = (['options', 'channels', 'limits', 'imports'] as const).map((topic) =>
      feed.on(topic, () => this.refreshInBackground()),
    );
  }

  /** Number of the state in force: grows with every change, equal on all instances that converged. */
  get current(): number {
    let sum = 0;
    for (const number of this.applied.values()) sum += number;
    return sum;
  }

  /** Wall clock of the last switch, milliseconds; 0 = none yet. */
  get lastSwitchMs(): number {
    return this.switchedAtMs;
  }

  /** Puts a part in force for the first time and follows it from now on. Fails: when the database is away. */
  async follow(part: RevisedPart): Promise<void> {
    this.parts.set(part.name, part);
    this.suspected.add(part.name);
    await this.refresh();
  }

  /**
   * Changes committed before the call are in force after it.
   * @param suspect  a part that changed without being counted: it is read whatever its number
   * Fails: with the database's error; the last good state stays.
   */
  async refresh(suspect?: RevisionName): Promise<void> {
    if (suspect !== undefined) this.suspected.add(suspect);
    this.isStale = true;
    this.refreshing ??= this.refreshUntilFresh().finally(() => {
      this.refreshing = undefined;
    });
    await this.refreshing;
  }

  /**
   * Notifies every instance of a committed change, and has it in force here when it returns: the caller may use it next. When it
   * cannot be read, the next poll does it.
   */
  async publishChange(name: RevisionName): Promise<void> {
    // Read here first: what this instance shares with the others is there when they look.
    await this.refresh().catch(() => undefined);
    this.feed.announce(name);
  }

  beforeApplicationShutdown(): void {
    for (const stop of this.stopListening) stop();
  }

  private async refreshUntilFresh(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      const numbers = await this.readNumbers();
      if (this.suspected.size === 0 && isSame(numbers, this.applied)) continue;
      for (const part of this.dueParts(numbers, this.suspected)) await part.prefetch?.();
      await this.switch();
    }
  }

  private async switch(): Promise<void> {
    const suspected = new Set(this.suspected);
    const { numbers, prepared } = await runInSnapshot(this.dataSource, async (manager) => {
      const read = await this.readNumbers(manager);
      const ready: [RevisionName, PreparedPart][] = [];
      for (const part of this.dueParts(read, suspected)) ready.push([part.name, await part.prepare(manager)]);
      return { numbers: read, prepared: ready };
    });
    // From here to the end of the loop nothing waits: no call can see one part of the old state and one of the new.
    this.applied = numbers;
    this.switchedAtMs = this.clock.nowMs();
    for (const [name, part] of prepared) {
      this.applyPart(name, part);
      this.suspected.delete(name);
    }
    this.report(null);
  }

  /** Parts that must be read when the database has these numbers. */
  private dueParts(numbers: Numbers, suspected: ReadonlySet<RevisionName>): RevisedPart[] {
    return [...this.parts.values()].filter(
      ({ name }) => suspected.has(name) || numbers.get(name) !== this.applied.get(name),
    );
  }

  private applyPart(name: RevisionName, part: PreparedPart): void {
    if (part.complaint === null) this.complaints.delete(name);
    else this.complaints.set(name, part.complaint);
    try {
      part.apply();
    } catch (error) {
      // A follower of the part failed; the part itself is in force.
      this.logger.error(`${name} were switched, and one of their followers failed: ${String(error)}`);
    }
  }

  private async readNumbers(manager: EntityManager = this.dataSource.manager): Promise<Numbers> {
    const rows = await manager.getRepository(RevisionEntity).find();
    return new Map(rows.map(({ name, number }) => [name, number]));
  }

  private refreshInBackground(): void {
    this.refresh().catch((error: unknown) => {
      // The last good state stays in force; the next poll tries again.
      this.report(`a change was announced and could not be read: ${String(error)}`);
    });
  }

  /** Reads the revisions in case a signal was lost. Never fails: the next turn tries again. */
  @Interval('revisions', POLL_MS)
  async pollInBackground(): Promise<void> {
    await this.poll().catch((error: unknown) =>
      this.faults.record('the shared settings could not be read', String(error)),
    );
  }

  private async poll(): Promise<void> {
    for (const part of this.parts.values()) {
      if (await part.hasDrifted()) this.suspected.add(part.name);
    }
    await this.refresh();
    this.report(null);
  }

  /** @param unread  why a state that is known to exist is not in force */
  private report(unread: string | null): void {
    const causes = [...this.complaints.values(), ...(unread === null ? [] : [unread])];
    this.modes.set('options-not-converged', causes.length === 0 ? null : causes.join('; '));
  }
}

function isSame(left: Numbers, right: Numbers): boolean {
  return left.size === right.size && [...left].every(([name, number]) => right.get(name) === number);
}
