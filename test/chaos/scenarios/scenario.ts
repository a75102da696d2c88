import type { SeededRandom } from '../../simulator/seeded-random.js';
import type { CallRecord, History } from '../load/history.js';
import type { Traffic } from '../load/traffic.js';
import type { LineFault } from '../rig/fault-proxy.js';
import type { World, WorldSettings } from '../rig/world.js';

/** Tools of a scenario while the load runs. */
export interface Stage {
  readonly world: World;
  readonly traffic: Traffic;
  readonly random: SeededRandom;
  /** Total time of the load, in seconds. */
  readonly seconds: number;
  /** Lets so much of the run pass: 0.25 = a quarter of it. */
  pass(share: number): Promise<void>;
  /** Lets seconds pass, whatever the length of the run. */
  passSeconds(seconds: number): Promise<void>;
  /** Until `isTrue`. @returns milliseconds it took. Fails after `withinMs`. */
  until(what: string, isTrue: () => boolean | Promise<boolean>, withinMs: number): Promise<number>;
  /** A sentence about something that is not as it must be, however busy the machine is. */
  complain(sentence: string): void;
  /** A sentence about service that was slower or poorer than promised: with --safety it is only said. */
  regret(sentence: string): void;
  /** A figure for the report line. */
  note(name: string, value: string): void;
  /**
   * A disk with a spool is lost now. Running calls, and ended ones that are not in the database yet, cost what the hold registry
   * has, the prompt estimate or nothing: they are counted as unbilled, not as lost.
   */
  loseRecords(): Promise<void>;
  /** A fault begins or is over; what lies between is `faulty`. */
  mark(moment: 'begin' | 'end'): void;
}

/** Checks after the run. */
export interface Aftermath {
  readonly world: World;
  readonly history: History;
  /** Calls asked before the fault, while it lasted, and after it. */
  readonly before: readonly CallRecord[];
  readonly during: readonly CallRecord[];
  readonly after: readonly CallRecord[];
  /** Same as in Stage. */
  complain(sentence: string): void;
  regret(sentence: string): void;
  note(name: string, value: string): void;
}

export interface Scenario {
  readonly name: string;
  /** Row of the failure catalogue. */
  readonly row: string;
  /** One line: what happens. */
  readonly what: string;
  readonly world?: Pick<WorldSettings, 'environmentOf' | 'smallDiskMegabytes'>;
  /** Replaces the mixed load: the scenario asks by itself. */
  readonly isQuietAtFirst?: true;
  /** Seconds the load has to run at least. */
  readonly leastSeconds?: number;
  /** Runs beside the load; the load ends when it is done and its time is over. */
  run(stage: Stage): Promise<void>;
  /** The scenario's own figures of the catalogue. */
  check?(aftermath: Aftermath): void | Promise<void>;
}

/** A fault, from its beginning until it is over. */
export async function whileFaulty(stage: Stage, work: () => Promise<void>): Promise<void> {
  stage.mark('begin');
  await work();
  stage.mark('end');
}

/** Something that is done to one instance after the other, and is over when the last is done with. */
export function instanceByInstance(
  stage: Stage,
  work: (instance: World['instances'][number]) => Promise<void>,
): Promise<void> {
  return whileFaulty(stage, async () => {
    for (const instance of stage.world.instances) await work(instance);
  });
}

/** The line to a store is faulty for some seconds: that of one instance, or of both. */
export async function breakLine(
  stage: Stage,
  line: {
    readonly store: 'redis' | 'sql';
    readonly fault: LineFault;
    readonly seconds: number;
    readonly instance?: 0 | 1;
  },
): Promise<void> {
  await stage.world.setLine(line.store, line.fault, line.instance);
  await stage.passSeconds(line.seconds);
  await stage.world.setLine(line.store, { kind: 'none' }, line.instance);
}

export const isUnanswered = (call: CallRecord): boolean =>
  call.outcome === 'failed' || call.outcome === 'cut';

/** A refusal that is no fault: too little money, which the poor accounts are there for. */
const POVERTY = new Set(['insufficient_user_quota', 'pre_consume_token_quota_failed', 'insufficient_quota']);
export const isPoverty = (call: CallRecord): boolean =>
  call.outcome === 'refused' && (call.status === 403 || POVERTY.has(call.code));

/** Calls that went wrong for their client although it had the money. */
export const disappointed = (calls: readonly CallRecord[]): CallRecord[] =>
  calls.filter((call) => isUnanswered(call) || (call.outcome === 'refused' && !isPoverty(call)));

/** Endings of disappointed calls, most frequent first: `503 service_unavailable ×12, failed 502 ×1`. */
export function tally(calls: readonly CallRecord[]): string {
  const counts = new Map<string, number>();
  for (const { outcome, status, code } of calls) {
    const key = `${outcome} ${status} ${code}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 6)
    .map(([key, count]) => `${key} ×${count}`)
    .join(', ');
}

/** Complains unless every call that had the money was served. */
export function expectAllServed(aftermath: Aftermath, calls: readonly CallRecord[], when: string): void {
  const bad = disappointed(calls);
  if (bad.length > 0)
    aftermath.regret(`${bad.length} of ${calls.length} calls failed ${when}: ${tally(bad)}`);
}

/** Complains when an answer or a refusal took longer to begin than it may. */
export function expectNoHang(
  aftermath: Aftermath,
  calls: readonly CallRecord[],
  mostMs: number,
  when: string,
): void {
  const slow = calls.filter(
    (call) =>
      call.code === 'hung' || (call.outcome === 'refused' && (call.headAtMs ?? 0) - call.askedAtMs > mostMs),
  );
  if (slow.length > 0)
    aftermath.regret(`${slow.length} refusals took longer than ${mostMs} ms or hung ${when}: ${tally(slow)}`);
}
