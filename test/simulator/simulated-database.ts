import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { SeededRandom } from './seeded-random.js';
import type { Actor, Scheduler } from './scheduler.js';

/** A connection that broke: whether the statement took effect nobody knows. */
export class BrokenConnectionError extends Error {
  readonly code = 'ECONNRESET';
}

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
  private holder: Actor | undefined;
  private undo: (() => Promise<void>) | undefined;
  private readonly queue: Turn[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly scheduler: Scheduler,
    private readonly random: SeededRandom,
  ) {}

  /** The database as `actor` sees it. */
  viewOf(actor: Actor): DataSource {
    const { dataSource } = this;
    const view = Object.create(dataSource) as DataSource;
    const createQueryRunner = (): QueryRunner => {
      const runner = dataSource.driver.createQueryRunner('master');
      Object.assign(runner, { manager: view.createEntityManager(runner) });
      return this.guard(actor, runner);
    };
    Object.defineProperty(view, 'createQueryRunner', { value: createQueryRunner });
    const manager: EntityManager = view.createEntityManager();
    Object.defineProperty(view, 'manager', { value: manager });
    return view;
  }

  /** What a dead worker had open is undone. */
  async drop(actor: Actor): Promise<void> {
    const others = this.queue.filter((turn) => turn.actor !== actor);
    this.queue.splice(0, this.queue.length, ...others);
    if (this.holder !== actor) return;
    await this.undo?.();
    this.leave();
  }

  private guard(actor: Actor, runner: QueryRunner): QueryRunner {
    const own = {
      query: runner.query.bind(runner),
      start: runner.startTransaction.bind(runner),
      commit: runner.commitTransaction.bind(runner),
      rollback: runner.rollbackTransaction.bind(runner),
    };
    let isOpen = false;
    let isUndone = false;
    const connection = { isBroken: false };
    const end = (): void => {
      if (!isOpen) return;
      isOpen = false;
      connection.isBroken = false;
      this.undo = undefined;
      this.leave();
    };
    const statement = (query: string, parameters?: unknown[], structured?: true): Promise<unknown> => {
      const run = (): Promise<unknown> => own.query(query, parameters, structured as true);
      if (isUndone) return run();
      return this.scheduler.perform(actor, () => this.execute(query, connection, isOpen, run));
    };
    return Object.assign(runner, {
      query: async (query: string, parameters?: unknown[], structured?: true) => {
        if (isOpen) return statement(query, parameters, structured);
        await this.enter(actor);
        try {
          return await statement(query, parameters, structured);
        } finally {
          this.leave();
        }
      },
      startTransaction: async () => {
        await this.enter(actor);
        isOpen = true;
        this.undo = async () => {
          isUndone = true;
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
        try {
          await own.rollback();
        } finally {
          end();
        }
      },
    });
  }

  private async execute(
    query: string,
    connection: { isBroken: boolean },
    isInTransaction: boolean,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    if (query === 'ROLLBACK') return run();
    if (connection.isBroken) throw new BrokenConnectionError('the connection is broken');
    if (query.startsWith('BEGIN') || !this.random.onceIn(this.breakOnceIn)) return run();
    this.faults += 1;
    connection.isBroken = isInTransaction;
    if (this.random.onceIn(2)) await run();
    throw new BrokenConnectionError('the connection broke');
  }

  private enter(actor: Actor): Promise<void> {
    return new Promise((resolve) => {
      if (actor.isDead) return;
      this.queue.push({ actor, go: resolve });
      this.next();
    });
  }

  private leave(): void {
    this.holder = undefined;
    this.next();
  }

  /** Whoever waits longest is not always first: nobody promised that. */
  private next(): void {
    if (this.holder !== undefined || this.queue.length === 0) return;
    const index = this.random.onceIn(4) ? this.random.below(this.queue.length) : 0;
    const [turn] = this.queue.splice(index, 1);
    if (turn === undefined) return;
    this.holder = turn.actor;
    turn.go();
  }
}
