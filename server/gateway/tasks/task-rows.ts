import {
  type EntityManager,
  In,
  type ObjectLiteral,
  type Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { isFinished, IS_UNFINISHED } from './task.codes.js';

/** Columns that drawings and songs share. */
export interface TaskRow extends ObjectLiteral {
  readonly id: number;
  readonly requestId: string;
  readonly userId: number;
  readonly tokenId: number;
  readonly channelId: number;
  readonly status: string;
  readonly failReason: string;
  readonly submitTime: number;
  readonly finishTime: number;
}

/** Which rows a list holds: columns that equal something, and a span of `submitTime` in the table's own unit. */
export interface TaskFilter {
  /** Property → value. Empty texts and 0 narrow nothing. */
  readonly equal: Readonly<Record<string, string | number>>;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const NAMESAKES = 50;

/**
 * The only reader of a table of tasks, and the only writer beside the booking that inserts its rows. Every change is conditional on
 * the task being unfinished.
 * @typeParam Row  entity of the table
 */
export abstract class TaskRows<Row extends TaskRow> {
  protected constructor(
    private readonly rows: Repository<Row>,
    /** Property with the upstream's name of a task. */
    private readonly nameProperty: keyof Row & string,
  ) {}

  /** Newest first. */
  async page(
    filter: TaskFilter,
    offset: number,
    limit: number,
  ): Promise<{ readonly rows: Row[]; readonly total: number }> {
    const query = this.query();
    for (const [property, value] of Object.entries(filter.equal))
      if (value !== '' && value !== 0)
        query.andWhere(`task.${property} = :${property}`, { [property]: value });
    if (filter.from !== undefined) query.andWhere('task.submitTime >= :from', { from: filter.from });
    if (filter.to !== undefined) query.andWhere('task.submitTime <= :to', { to: filter.to });
    const [rows, total] = await query
      .orderBy('task.submitTime', 'DESC')
      .addOrderBy('task.id', 'DESC')
      .offset(offset)
      .limit(limit)
      .getManyAndCount();
    return { rows, total };
  }

  /** The user's own tasks by the upstream's names, newest first. Of two with one name (two upstreams) the newer counts. */
  async ownOf(userId: number, names: readonly string[]): Promise<Row[]> {
    if (names.length === 0) return [];
    const rows = await this.query()
      .where('task.userId = :userId', { userId })
      .andWhere({ [this.nameProperty]: In([...names]) })
      .orderBy('task.id', 'DESC')
      .limit(names.length * 2)
      .getMany();
    const known = new Set<unknown>();
    return rows.filter((row) => {
      const name = row[this.nameProperty];
      return known.has(name) ? false : known.add(name);
    });
  }

  /** Tasks of all users with one name, newest first. The caller proves which one is meant. */
  async named(name: string): Promise<Row[]> {
    return this.query()
      .where({ [this.nameProperty]: name })
      .orderBy('task.id', 'DESC')
      .limit(NAMESAKES)
      .getMany();
  }

  /** Oldest first. @param afterId  0 = from the beginning */
  async unfinished(afterId: number, limit: number): Promise<Row[]> {
    return (
      this.query()
        .where(`(${IS_UNFINISHED})`)
        .andWhere('task.id > :afterId', { afterId })
        // A sum, so that no planner walks through all finished tasks by their ids instead of asking the small index.
        .orderBy('task.id + 0', 'ASC')
        .limit(limit)
        .getMany()
    );
  }

  /** @returns false when the task is finished already: then nothing changed */
  async change(
    id: number,
    changes: Partial<Row>,
    manager: EntityManager = this.rows.manager,
  ): Promise<boolean> {
    const result = await manager
      .createQueryBuilder()
      .update<Row>(this.rows.target)
      .set({ ...changes } as never)
      .where(`id = :id AND (${IS_UNFINISHED})`, { id })
      .execute();
    return result.affected === 1;
  }

  /** Failed tasks whose log line is still to be written, oldest first. @param finishedBefore  in the table's own unit */
  async withoutLog(finishedBefore: number, limit: number): Promise<Row[]> {
    return this.query()
      .where('task.logPending = 1 AND task.finishTime <= :finishedBefore', { finishedBefore })
      .orderBy('task.id', 'ASC')
      .limit(limit)
      .getMany();
  }

  async markLogged(id: number): Promise<void> {
    await this.rows
      .createQueryBuilder()
      .update<Row>(this.rows.target)
      .set({ logPending: 0 } as never)
      .where('id = :id', { id })
      .execute();
  }

  private query(): SelectQueryBuilder<Row> {
    return this.rows.createQueryBuilder('task');
  }
}

export const isOver = (row: TaskRow): boolean => isFinished(row.status);
