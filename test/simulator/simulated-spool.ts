import { closeSync, existsSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../../server/infra/spool/spool.js';
import type { SeededRandom } from './seeded-random.js';
import type { Actor, Scheduler } from './scheduler.js';

/** Private state of a spool; only death reads it. */
interface SpoolInsides {
  batch: unknown;
  file: number;
  isClosed: boolean;
  readonly waiting: { readonly bytes: Buffer; readonly length: number };
}

/** Larger than any process number of this machine. */
const DEAD_PID = 2 ** 30;

/** Writing is a step, put off until the scheduler allows it, so that a worker can die with records that are not written. */
export function guardSpool(
  spool: Spool,
  actor: Actor & { readonly isStopping: boolean },
  scheduler: Scheduler,
  onWritten: () => void,
): void {
  const original = spool.flush;
  const flush = (): void => {
    original();
    onWritten();
  };
  Object.assign(spool, {
    flush: () => {
      if (actor.isDead) return;
      if (actor.isStopping) flush();
      else void scheduler.perform(actor, flush);
    },
  });
}

/** Effect of a process's death on its spool: waiting records are lost, or torn at any byte. */
export function tearSpool(spool: Spool, random: SeededRandom): void {
  const insides = spool as unknown as SpoolInsides;
  if (insides.isClosed) return;
  const { bytes, length } = insides.waiting;
  if (insides.batch !== null && length > 0 && random.onceIn(2))
    writeSync(insides.file, bytes, 0, random.below(length));
  insides.batch = null;
  insides.isClosed = true;
  closeSync(insides.file);
}

/** The note in its folders says that a process of ours writes them: as of now it names one that is gone. */
export function buryOwner(spoolRoot: string, bootId: string): void {
  if (!existsSync(spoolRoot)) return;
  const owner = JSON.stringify({ host: hostname(), pid: DEAD_PID, startedAt: null });
  for (const name of readdirSync(spoolRoot)) {
    if (name === bootId || name.endsWith(`~${bootId}`))
      writeFileSync(join(spoolRoot, name, 'owner.json'), owner, { mode: 0o600 });
  }
}
