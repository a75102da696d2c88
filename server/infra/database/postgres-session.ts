import { types } from 'node:util';
import pg from 'pg';
import { contained } from '../../common/contain-faults.js';
import { DATABASE_LIMITS } from './database-limits.js';

/** Session state our code relies on. */
interface SessionSettings {
  readonly idleInTransactionMs: number;
  /** Known beforehand; else it is found out. */
  readonly isPooled: boolean;
}

type Connected = (error: Error | null, client?: pg.Client) => void;

const settingsOf = (scope: 'SESSION' | 'LOCAL', { idleInTransactionMs }: SessionSettings): string =>
  [
    ['statement_timeout', DATABASE_LIMITS.statementMs],
    ['lock_timeout', DATABASE_LIMITS.lockWaitMs],
    ['idle_in_transaction_session_timeout', idleInTransactionMs],
    ['TimeZone', "'UTC'"],
    ...(scope === 'SESSION' ? [['default_transaction_isolation', "'read committed'"]] : []),
  ]
    .map(([name, value]) => `SET ${scope} ${name} = ${value}`)
    .join('; ');

/** Settings of a transaction without a time limit. */
const PATIENT = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '5s'; SET LOCAL idle_in_transaction_session_timeout = 0`;
const BEGIN = /^\s*(?:START\s+TRANSACTION|BEGIN)\b[^;]*$/i;

/**
 * A connection that brings its session into the state the code relies on before its first use. None of it is a start-up parameter,
 * which poolers refuse. Behind a pooler sessions are shared: there the settings are those of each transaction.
 */
export class PostgresSession extends pg.Client {
  private readonly settings: SessionSettings;
  private isShared: boolean;
  private isDeadlineExempt = false;

  constructor(config: pg.ClientConfig & { readonly session?: SessionSettings } = {}) {
    // Passed whole: the pool hides the password from copies of the members.
    super(config);
    const { session } = config;
    // The pool listens for faults only while it keeps a connection: one that breaks while its session is being set up, or while it
    // is lent, fails the pending statement, and must not end the process besides.
    this.on(
      'error',
      contained(() => undefined),
    );
    this.settings = session ?? { idleInTransactionMs: DATABASE_LIMITS.idleInTransactionMs, isPooled: false };
    this.isShared = this.settings.isPooled;
    const query = this.query.bind(this) as (...words: unknown[]) => unknown;
    // The driver's own method has a dozen forms; what begins a transaction comes as plain text in all of ours.
    this.query = ((...words: unknown[]) => {
      const [text] = words;
      if (!this.isShared || typeof text !== 'string' || !BEGIN.test(text)) return query(...words);
      return query(
        `${text}; ${this.isDeadlineExempt ? PATIENT : settingsOf('LOCAL', this.settings)}`,
        ...words.slice(1),
      );
    }) as typeof this.query;
  }

  /** Statements from now on may take long, or no longer. */
  async setDeadlineExempt(isPatient: boolean): Promise<void> {
    this.isDeadlineExempt = isPatient;
    if (this.isShared) return;
    await this.query(
      isPatient ? "SET statement_timeout = 0; SET lock_timeout = '5s'" : settingsOf('SESSION', this.settings),
    );
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | void {
    const connected = this.open();
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(null, client),
      (error: unknown) => callback(types.isNativeError(error) ? error : new Error(String(error))),
    );
  }

  private async open(): Promise<pg.Client> {
    await super.connect();
    try {
      // A pooler makes up the process id it gives to its clients.
      const { rows } = await this.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const { processID } = this as unknown as { readonly processID: number | null };
      this.isShared ||= rows[0]?.pid !== processID;
      if (!this.isShared) await this.query(settingsOf('SESSION', this.settings));
      return this;
    } catch (error) {
      void this.end().catch(() => undefined);
      throw error;
    }
  }
}
