import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { OnConnection } from './world-database.js';
import type { SeededRandom } from './seeded-random.js';
import type { Actor, Scheduler } from './scheduler.js';

/** A connection that broke: the effect of its statement is unknown. */
export class BrokenConnectionError extends Error {
  readonly code = 'ECONNRESET';
}

/** A dead worker waits for this. */
const NEVER = new Promise<never>(() => undefined);

/** Statements that open a transaction: a connection that breaks then has nothing to undo. */
const OPENING = /^(BEGIN|START TRANSACTION|SET TRANSACTION)/;

interface Turn {
  readonly actor: Actor;
  readonly go: () => void;
}

/**
 * One database, one connection, and many workers: each sees a data source of its own, whose every statement is a step. A dead
 * worker's open transaction is rolled back, as a server does when a connection breaks.
 */
export class SimulatedDatabase {
  faults = 0;
  /** One statement in so many meets a broken connection. 0 = none. */
  breakOnceIn = 0;
  /** Turn in progress: no other may end it, a dead worker's late answer least of all. */
  private holder: Turn | undefined;
  private undo: (() => Promise<void>) | undefined;
  private readonly queue: Turn[] = [];
  /** Runners of each living worker that were not given back yet; kept for servers, whose connections are few. */
  private readonly runners = new Map<Actor, Set<QueryRunner>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly scheduler: Scheduler,
    private readonly random: SeededRandom,
    /** Undefined = the database needs no time from outside. */
    private readonly tellTime: ((run: OnConnection) => Promise<unknown>) | undefined,
  ) {}

  /** True when no transaction is open: a reader outside the world would wait for one that stands still. */
  get isFree(): boolean {
    return this.holder === undefined;
  }

  /** The database as `actor` sees it. */
  viewOf(actor: Actor): DataSource {
    const { dataSource } = this;
    const view = Object.create(dataSource) as DataSource;
    const createQueryRunner = (): QueryRunner => {
      const runner = dataSource.driver.createQueryRunner('master');
      Object.assign(runner, { manager: view.createEntityManager(runner) });
      const guarded = this.guard(actor, runner);
      this.remember(actor, guarded);
      return guarded;
    };
    Object.defineProperty(view, 'createQueryRunner', { value: createQueryRunner });
    const manager: EntityManager = view.createEntityManager();
    Object.defineProperty(view, 'manager', { value: manager });
    return view;
  }

  /** Undoes the open transaction of a dead worker. */
  async drop(actor: Actor): Promise<void> {
    const others = this.queue.filter((turn) => turn.actor !== actor);
    this.queue.splice(0, this.queue.length, ...others);
    const runners = this.runners.get(actor) ?? [];
    this.runners.delete(actor);
    const { holder } = this;
    if (holder?.actor === actor) {
      // A connection that breaks while it is undone was undone by the server: the next one must get its turn all the same.
      await this.undo?.().catch(() => undefined);
      this.undo = undefined;
      this.leave(holder);
    }
    // Its connections go back to the pool: no other code would return them.
    if (this.tellTime !== undefined) for (const runner of runners) await runner.release();
  }

  private guard(actor: Actor, runner: QueryRunner): QueryRunner {
    const own = {
      query: this.onRealServer(runner.query.bind(runner)),
      start: runner.startTransaction.bind(runner),
      commit: runner.commitTransaction.bind(runner),
      rollback: runner.rollbackTransaction.bind(runner),
    };
    let open: Turn | undefined;
    let isUndone = false;
    const connection = { isBroken: false };
    const end = (): void => {
      if (open === undefined || isUndone) return;
      const turn = open;
      open = undefined;
      connection.isBroken = false;
      this.undo = undefined;
      this.leave(turn);
    };
    const statement = (query: string, parameters?: unknown[], structured?: true): Promise<unknown> => {
      const run = (): Promise<unknown> => own.query(query, parameters, structured as true);
      if (!isUndone)
        return this.scheduler.perform(actor, () => this.execute(query, connection, open !== undefined, run));
      // Its connection is gone: what it had begun to begin never reaches the database.
      return query === 'ROLLBACK'
        ? run()
        : Promise.reject(new BrokenConnectionError('the connection is gone'));
    };
    return Object.assign(runner, {
      query: async (query: string, parameters?: unknown[], structured?: true) => {
        if (open !== undefined) return statement(query, parameters, structured);
        const turn = await this.enter(actor);
        try {
          return await statement(query, parameters, structured);
        } finally {
          this.leave(turn);
        }
      },
      startTransaction: async () => {
        const turn = await this.enter(actor);
        // It died between being let in and coming in: another actor has the turn, or is about to. Going on would leave the gate of
        // the database's writers shut behind it for ever.
        if (actor.isDead || this.holder !== turn) return NEVER;
        open = turn;
        this.undo = async () => {
          isUndone = true;
          // A worker on the way to BEGIN learns there that the connection is gone, and releases the gate.
          await new Promise((resolve) => setImmediate(resolve));
          // Also when it died in the middle of BEGIN, which only the database knows to have happened.
          Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
          await own.rollback();
        };
        try {
          await own.start();
        } catch (error) {
          end();
          throw error;
        }
      },
      commitTransaction: async () => {
        await own.commit();
        end();
      },
      rollbackTransaction: async () => {
        // Undone already, and the connection may be in another transaction by now.
        if (isUndone) return NEVER;
        try {
          await own.rollback();
        } finally {
          end();
        }
      },
    });
  }

  private remember(actor: Actor, runner: QueryRunner): void {
    if (this.tellTime === undefined) return;
    const runners = this.runners.get(actor) ?? new Set();
    this.runners.set(actor, runners.add(runner));
    const release = runner.release.bind(runner);
    Object.assign(runner, {
      release: async () => {
        runners.delete(runner);
        await release();
      },
    });
  }

  /** A statement of a server takes real time, which the world must not feel, and happens at the world's time. */
  private onRealServer(query: QueryRunner['query']): QueryRunner['query'] {
    const { tellTime } = this;
    if (tellTime === undefined) return query;
    const timed = (sql: string, parameters?: unknown[], structured?: true): Promise<unknown> =>
      this.scheduler.whileWorldWaits(sql.slice(0, 200), async () => {
        // A savepoint or the characteristics of a transaction come before anything else may.
        if (!/^(SET TRANSACTION|START|BEGIN|COMMIT|ROLLBACK)/.test(sql))
          await tellTime((text) => query(text));
        return query(sql, parameters, structured as true);
      });
    return timed as QueryRunner['query'];
  }

  private async execute(
    query: string,
    connection: { isBroken: boolean },
    isInTransaction: boolean,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    if (query === 'ROLLBACK') return run();
    if (connection.isBroken) throw new BrokenConnectionError('the connection is broken');
    if (OPENING.test(query) || !this.random.onceIn(this.breakOnceIn)) return run();
    this.faults += 1;
    connection.isBroken = isInTransaction;
    if (this.random.onceIn(2)) await run();
    throw new BrokenConnectionError('the connection broke');
  }

  private enter(actor: Actor): Promise<Turn> {
    return new Promise((resolve) => {
      if (actor.isDead) return;
      const turn: Turn = { actor, go: () => resolve(turn) };
      this.queue.push(turn);
      this.next();
    });
  }

  private leave(turn: Turn): void {
    if (this.holder !== turn) return;
    this.holder = undefined;
    this.next();
  }

  /** The longest waiter is not always first: no order is promised. */
  private next(): void {
    if (this.holder !== undefined || this.queue.length === 0) return;
    const index = this.random.onceIn(4) ? this.random.below(this.queue.length) : 0;
    const [turn] = this.queue.splice(index, 1);
    if (turn === undefined) return;
    this.holder = turn;
    turn.go();
  }
}
