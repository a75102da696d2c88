import { Injectable, Logger } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import type { Document } from '../../relay-core/formats/shared/fields/json-fields.js';
import { type TaskAccount, TaskAccounts } from './task-account.js';
import { type TaskKind, TaskKinds } from './task-kinds.js';
import { CHANNEL_GONE } from './task-reasons.js';
import type { TaskRow } from './task-rows.js';
import { TaskStates } from './task-states.js';
import { recordsById } from './vendor-record.js';

const PERIOD_MS = 15_000;
const PERIOD_HERE = (poller: TaskPoller): number | undefined => poller.periodMs;
/** Records read at once; a run goes on until there are no more. */
const PAGE = 500;
/** Of one question. Songs bring their texts along. */
const LIMITS = { timeoutMs: 15_000, maxBytes: 16 * 1024 * 1024 } as const;
/** Channels asked side by side, so that a slow one does not keep the others waiting. */
const CHANNELS_AT_ONCE = 8;

/** Asks upstreams how the work goes that they took on, every 15 s, one worker of all. */
@Injectable()
export class TaskPoller {
  private readonly logger = new Logger('Tasks');
  /** Undefined = this instance is not to poll. */
  readonly periodMs: number | undefined;

  constructor(
    private readonly kinds: TaskKinds,
    private readonly states: TaskStates,
    private readonly accounts: TaskAccounts,
    env: Env,
  ) {
    this.periodMs = env.pollsTasks ? PERIOD_MS : undefined;
  }

  @LeasedInterval('drawing-poll', PERIOD_HERE)
  pollDrawings(run: JobRun): Promise<void> {
    return this.poll(this.kinds.drawings, run);
  }

  @LeasedInterval('task-poll', PERIOD_HERE)
  pollTasks(run: JobRun): Promise<void> {
    return this.poll(this.kinds.tasks, run);
  }

  /** Brings every unfinished record of a kind up to date. Fails: with the database's error. */
  async poll<Row extends TaskRow>(kind: TaskKind<Row>, run?: JobRun): Promise<void> {
    /** Channels that did not answer in this run are not asked again. */
    const silent = new Set<number>();
    for (let afterId = 0; ;) {
      const rows = await kind.rows.unfinished(afterId, PAGE);
      const last = rows.at(-1);
      if (last === undefined) return;
      afterId = last.id;
      const groups = [...Map.groupBy(rows, ({ channelId }) => channelId)];
      const work = async (): Promise<void> => {
        for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
          await run?.confirm();
          await this.pollChannel(kind, group[0], { rows: group[1], silent });
        }
      };
      await Promise.all(Array.from({ length: CHANNELS_AT_ONCE }, work));
    }
  }

  private async pollChannel<Row extends TaskRow>(
    kind: TaskKind<Row>,
    channelId: number,
    { rows, silent }: { readonly rows: readonly Row[]; readonly silent: Set<number> },
  ): Promise<void> {
    let account: TaskAccount | null = null;
    let records: ReadonlyMap<string, Document> = new Map();
    try {
      account = await this.accounts.open(channelId);
      if (account !== null && !silent.has(channelId)) records = await this.queryStatus(kind, account, rows);
    } catch (error) {
      // An upstream's text may hold anything: the log gets the kind of fault. Records still expire when their time is over.
      silent.add(channelId);
      this.logger.warn(`channel ${channelId} said nothing about its tasks: ${faultOf(error)}`);
      if (account === null) return this.failOverdue(kind, rows);
    }
    for (const row of rows) {
      await this.settleOne(row, () =>
        account === null
          ? this.states.fail(kind, row, { reason: CHANNEL_GONE, changes: {} })
          : this.states.hear(kind, row, records.get(kind.nameOf(row)), account.keys),
      );
    }
  }

  private async failOverdue<Row extends TaskRow>(kind: TaskKind<Row>, rows: readonly Row[]): Promise<void> {
    for (const row of rows) await this.settleOne(row, () => this.states.hear(kind, row, undefined));
  }

  /** One record's trouble is not the next one's. */
  private async settleOne(row: TaskRow, work: () => Promise<boolean>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(`task ${row.requestId} stays as it is until the next run: ${String(error)}`);
    }
  }

  /** Each key of a channel knows its own tasks. Fails: with a fault that names its kind. */
  private async queryStatus<Row extends TaskRow>(
    kind: TaskKind<Row>,
    account: TaskAccount,
    rows: readonly Row[],
  ): Promise<Map<string, Document>> {
    const found = new Map<string, Document>();
    const names = new Set(rows.map((row) => kind.nameOf(row)).filter((name) => name !== ''));
    for (const key of account.keys) {
      const open = [...names].filter((name) => !found.has(name));
      for (let from = 0; from < open.length; from += kind.idsAtOnce) {
        const ids = open.slice(from, from + kind.idsAtOnce);
        const reply = await this.accounts.ask(account, kind.question(ids, key), LIMITS);
        if (!reply.ok) throw new PollFault(reply.error.kind);
        if (reply.value.status !== 200) throw new PollFault(`status ${reply.value.status}`);
        const records = recordsById(parseAnswer(reply.value.body), kind.idMember);
        for (const [id, record] of records) if (names.has(id)) found.set(id, record);
      }
    }
    return found;
  }
}

/** A fault whose words are our own. */
class PollFault extends Error {}

const faultOf = (error: unknown): string =>
  error instanceof PollFault ? error.message : error instanceof Error ? error.name : 'failed';

function parseAnswer(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new PollFault('an answer that is not JSON');
  }
}
