import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { writeLockOf } from '../../../../server/infra/database/gated-sqlite-runner.js';
import {
  Books,
  isStarted,
  openMemory,
  openRedis,
  Worker,
  type StartedCall,
} from '../../../support/fixtures/money.fixture.js';

/**
 * A worker process for crash tests: calls run through it without end until it is killed. Every end it reports on stdout was
 * on the spool before, exactly as a client would have seen it.
 * Argument: path of a JSON document with database, dataDir, redis (or null) and accounts.
 */
interface Task {
  readonly database: string;
  readonly dataDir: string;
  readonly redis: string | null;
  /** A thread of its own books. */
  readonly hasThread: boolean;
  /** Calls within a second that make an account worth a slice. */
  readonly hotCalls?: number;
  readonly accounts: readonly {
    readonly userId: number;
    readonly tokenId: number;
    readonly limited: boolean;
  }[];
}

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Task;
const store = task.redis === null ? openMemory() : await openRedis(task.redis);
const books = await Books.attach(task.database, task.dataDir);
const lock = writeLockOf(books.dataSource);
const booking = { databaseUrl: task.database, logDatabaseUrl: undefined, lock, logLock: lock };
const { hotCalls } = task;
const worker = new Worker(books, store, {
  ...(task.hasThread ? { booking } : {}),
  ...(hotCalls === undefined ? {} : { hotCalls }),
});
await worker.engine.start();
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
say({ ready: true });

let turn = 0;
let sliced = 0;
const running: StartedCall[] = [];
for (;;) {
  const account = task.accounts[turn % task.accounts.length];
  if (account === undefined) break;
  turn += 1;
  // With everything in this process no await ever leaves the turn; output and timers need one now and then.
  if (turn % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  const call = await worker.begin(worker.caller(account.userId, account.tokenId, account.limited));
  if (isStarted(call)) {
    running.push(call);
    say({ dispatched: call.callId });
    if (turn % 3 === 0) {
      worker.engine.holds.recordCheckpoint(call.hold, { input: { total: 10 }, output: { total: 20 } });
    }
  }
  if (worker.engine.slices.served > sliced) {
    sliced = worker.engine.slices.served;
    say({ sliced });
  }
  // Some calls stay open for long, so that a kill always meets dispatched, checkpointed and ended ones.
  while (running.length > 20) {
    const ended = running.splice(Math.floor(Math.random() * 10), 1)[0];
    if (ended === undefined) break;
    if (turn % 11 === 0) {
      worker.engine.holds.release(ended.hold);
      worker.engine.spool.flush();
      say({ released: ended.callId });
    } else {
      worker.end(ended);
      say({ ended: ended.callId });
    }
  }
}
