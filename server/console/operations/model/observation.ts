import type { Finding, Rule } from './finding.js';
import type { ChannelFailure } from '../../../base/channel-statistics/attempt-totals.js';
import type { Moment } from '../../../common/moment.js';
import type { MailTrouble } from '../../../base/notifications/mail/mail-health.js';
import type { OrderIncidentCount } from '../../wallet/orders/order-incidents.js';
import type { BooksState } from '../money-check/books-check.js';
import type { FleetInstance } from './fleet.js';

/** A worker that started, whatever became of it. */
export interface WorkerStart {
  readonly instance: string;
  readonly worker: number;
  readonly startedAtMs: number;
}

/** One finished minute of all workers together. */
export interface FleetMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly calls: number;
  readonly errors: number;
  readonly firstTokenP95Ms: number | null;
  readonly settlementLagMs: number;
  readonly writeoffQuota: number;
  /** Calls that were charged more than was set aside for them, and how much more. */
  readonly overrunCalls: number;
  readonly overrunQuota: number;
}

/** Attempts at a channel in one quarter of an hour. */
export interface ChannelAttempts {
  readonly channelId: number;
  /** Seconds. */
  readonly start: number;
  readonly attempts: number;
  /** Those that failed through the channel. */
  readonly failures: number;
}

/** Facts from the database for the rules; null = it could not be read. */
export interface StoredFacts {
  readonly modelsOut: readonly { readonly model: string; readonly sinceMs: number }[];
  readonly balances: readonly {
    readonly channelId: number;
    readonly name: string;
    /** Dollars. */
    readonly balance: number;
    readonly updatedAtMs: number;
  }[];
  readonly orders: readonly OrderIncidentCount[];
  readonly booksCheck: BooksState | null;
  /** Null = mail works, or none is needed. */
  readonly mail: MailTrouble | null;
  /** Reserved quota over all accounts; null members = unknown. */
  readonly reserved: { readonly quota: number | null; readonly oldestSeconds: number | null };
  readonly channelNames: ReadonlyMap<number, string>;
  /** Attempts of the running quarter of an hour and the one before. */
  readonly attempts: readonly ChannelAttempts[];
  /** The newest failure of each channel that had one. */
  readonly channelFailures: ReadonlyMap<number, ChannelFailure>;
}

/** A recurring job of all instances, as its last run left it. Moments are the database's; 0 = never. */
export interface JobState {
  readonly name: string;
  readonly outcome: '' | 'running' | 'done' | 'failed' | 'lost';
  /** Why it failed; empty otherwise. */
  readonly message: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly nextAtMs: number;
  /** Machine of the worker that ran it last. */
  readonly host: string;
}

export interface Thresholds {
  readonly spoolAgeSeconds: number;
  readonly settlementLagSeconds: number;
  readonly eventLoopMs: number;
  readonly errorRatePercent: number;
  /** 0 = not watched. */
  readonly channelBalance: number;
  /** Share of the attempts at a channel; 0 = not watched. */
  readonly channelFailurePercent: number;
  /** Within an hour; 0 = not watched. */
  readonly writeoffQuota: number;
}

/** Findings of each rule in an observation. */
export type RuleTable = Readonly<Record<Rule, (observation: Observation) => readonly Finding[]>>;

/** Everything the rules look at. */
export interface Observation {
  readonly nowMs: Moment;
  readonly fleet: readonly FleetInstance[];
  /** Starts of the last quarter of an hour. */
  readonly starts: readonly WorkerStart[];
  /** Finished minutes of the last hour, oldest first. */
  readonly minutes: readonly FleetMinute[];
  readonly stored: StoredFacts | null;
  readonly jobs: readonly JobState[];
  /** Rules whose source could not be read, and why; their earlier findings are neither resolved nor lasting. */
  readonly unread?: ReadonlyMap<Rule, string>;
  /** Time since when the worker that observes cannot read the database; null = it can. */
  readonly databaseAwaySinceMs: number | null;
  readonly thresholds: Thresholds;
}
