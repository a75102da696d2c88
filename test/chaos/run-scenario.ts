import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SeededRandom } from '../simulator/seeded-random.js';
import { checkRun, type Verdict } from './check/check-run.js';
import { faultsInLogs } from './check/logs.js';
import { grownResources, resourcesOf, type Resources } from './check/resources.js';
import type { CallRecord } from './load/history.js';
import { Traffic } from './load/traffic.js';
import type { SqlServer } from './rig/sql-server.js';
import { World } from './rig/world.js';
import type { Scenario, Stage } from './scenarios/scenario.js';

export interface RunSettings {
  readonly seed: number;
  readonly seconds: number;
  readonly callsPerSecond: number;
  readonly accounts: number;
  readonly program: string;
  readonly firstProgram?: string;
  /** Does not wait until idle pools give back what they hold: the orderly stop at the end makes them. */
  readonly isQuick: boolean;
  readonly keepsLogs: boolean;
  /** Poor service is reported and does not count: for machines that are busy with other things. */
  readonly isSafetyOnly: boolean;
}

export interface RunReport extends Verdict {
  readonly scenario: string;
  readonly row: string;
  readonly seed: number;
  /** From the end of load and fault until every call is booked once and the books are right. */
  readonly quietSeconds: number;
  /** … and until nothing is set aside any more; undefined = not waited for. */
  readonly returnedSeconds: number | undefined;
  readonly notes: ReadonlyMap<string, string>;
  /** Service that was poorer than promised. */
  readonly regrets: readonly string[];
  /** Empty = passed. */
  readonly complaints: readonly string[];
  /** Folder of the instances' logs, when they were kept. */
  readonly logs: string | undefined;
}

/** Recovery should be over within two minutes; a machine that is busy with other things gets one more. */
const QUIET_WITHIN_MS = 180_000;
/**
 * Money of calls whose records were lost with a disk is in no pool: it goes back to the balance when its reservation has been
 * abandoned for five minutes (reservation-sql.ts), a minute after the pool was last used.
 */
const HOME_WITHIN_MS = 480_000;
const LOOK_EVERY_MS = 500;

/** Runs one scenario in a world of its own. Fails: when the rig itself does not work. */
export async function runScenario(
  scenario: Scenario,
  settings: RunSettings,
  sql: SqlServer,
  folder: string,
): Promise<RunReport> {
  const world = await World.build({
    folder: join(folder, scenario.name),
    program: settings.program,
    firstProgram: settings.firstProgram,
    sql,
    seed: settings.seed,
    accounts: settings.accounts,
    ...scenario.world,
  });
  mkdirSync(join(folder, scenario.name, 'check'), { recursive: true });
  try {
    return await perform(scenario, settings, world);
  } catch (error) {
    throw new Error(`${scenario.name}: ${String(error)}; logs: ${world.keepLogs()}`, { cause: error });
  } finally {
    await world.heal();
    await world.close();
  }
}

async function perform(scenario: Scenario, settings: RunSettings, world: World): Promise<RunReport> {
  const random = new SeededRandom(settings.seed);
  const seconds = Math.max(settings.seconds, scenario.leastSeconds ?? 0);
  const traffic = new Traffic(
    world.balancer.url,
    world.tokens,
    new SeededRandom(settings.seed + 1),
    settings.callsPerSecond,
  );
  const complaints: string[] = [];
  const notes = new Map<string, string>();
  const complain = (sentence: string): void => void complaints.push(sentence);
  const regrets: string[] = [];
  const regret = (sentence: string): void => void regrets.push(sentence);
  const note = (name: string, value: string): void => void notes.set(name, value);
  let lost: LostRecords | undefined;
  const marks: { begin?: number; end?: number } = {};
  const stage: Stage = {
    world,
    traffic,
    random,
    seconds,
    complain,
    regret,
    note,
    loseRecords: async () => {
      lost = await recordsLost(world);
    },
    pass: (share) => pause(seconds * share * 1_000),
    passSeconds: (wanted) => pause(Math.max(0, wanted) * 1_000),
    until,
    mark: (moment) => void (marks[moment] ??= performance.now()),
  };
  if (scenario.isQuietAtFirst !== true) await traffic.start();
  // Without a load so far there is nothing to compare with.
  const resources: Resources = scenario.isQuietAtFirst === true ? new Map() : resourcesOf(world);
  const startedAtMs = performance.now();
  try {
    await scenario.run(stage);
    if (scenario.isQuietAtFirst !== true)
      await pause(Math.max(0, startedAtMs + seconds * 1_000 - performance.now()));
  } catch (error) {
    complain(`the scenario could not be played to its end: ${String(error)}`);
    await world.heal();
  }
  await traffic.stop();
  await world.heal();
  const isExcused = lost === undefined ? undefined : wentWith(lost);
  const quiet = await untilQuiet(world, traffic, settings.isQuick, isExcused);
  // Connections to the vendor of a busy moment are kept for a while: only a longer wait distinguishes them from a leak.
  if (!settings.isQuick) regrets.push(...grownResources(resources, resourcesOf(world)));
  const { history } = traffic;
  const begin = marks.begin ?? performance.now();
  const end = marks.end ?? performance.now();
  await scenario.check?.({
    world,
    history,
    complain,
    regret,
    note,
    before: history.between(0, begin),
    during: history.between(begin, end),
    after: history.between(end, Number.POSITIVE_INFINITY),
  });
  complaints.push(...quiet.complaints, ...(await endInOrder(world)), ...faultsInLogs(world));
  traffic.close();
  // Checked again after all pending work is done.
  const verdict = await look(world, traffic, isExcused);
  complaints.push(...verdict.findings);
  if (lost !== undefined) {
    note('gone with the disk', String(verdict.unbilled));
    regrets.push(...bookedLate(lost, history.warm));
  }
  if (!settings.isSafetyOnly) complaints.push(...regrets);
  const logs = settings.keepsLogs || complaints.length > 0 ? keepEvidence(world, traffic) : undefined;
  return {
    ...verdict,
    scenario: scenario.name,
    row: scenario.row,
    seed: settings.seed,
    notes,
    regrets,
    complaints,
    logs,
    quietSeconds: quiet.quietSeconds,
    returnedSeconds: quiet.returnedSeconds,
  };
}

/** A settlement is in the database within a second; a busy machine gets another. */
const BOOKED_WITHIN_MS = 2_000;

type Excuse = (call: CallRecord) => boolean;

/** State of the database when a disk was lost. */
interface LostRecords {
  readonly atMs: number;
  readonly booked: ReadonlySet<string>;
}

async function recordsLost(world: World): Promise<LostRecords> {
  const atMs = performance.now();
  return { atMs, booked: new Set((await world.books.settlements()).map(({ callId }) => callId)) };
}

/** Calls whose only record may have been on that disk. */
const wentWith =
  ({ atMs, booked }: LostRecords): Excuse =>
  ({ askedAtMs, callId }) =>
    askedAtMs <= atMs && (callId === undefined || !booked.has(callId));

/** The cost of a lost disk depends on the time records wait on it. */
function bookedLate({ atMs, booked }: LostRecords, calls: readonly CallRecord[]): string[] {
  const late = calls.filter(
    ({ outcome, callId, endedAtMs }) =>
      outcome === 'ok' &&
      callId !== undefined &&
      !booked.has(callId) &&
      (endedAtMs ?? atMs) < atMs - BOOKED_WITHIN_MS,
  );
  if (late.length === 0) return [];
  return [
    `${late.length} calls had ended ${BOOKED_WITHIN_MS} ms before the disk was lost and were not booked`,
  ];
}

interface Quiet {
  readonly quietSeconds: number;
  readonly returnedSeconds: number | undefined;
  readonly complaints: string[];
}

async function untilQuiet(
  world: World,
  traffic: Traffic,
  isQuick: boolean,
  isExcused: Excuse | undefined,
): Promise<Quiet> {
  const fromMs = performance.now();
  const seconds = (): number => (performance.now() - fromMs) / 1_000;
  const complaints: string[] = [];
  let quietSeconds: number | undefined;
  let returnedSeconds: number | undefined;
  let words = '';
  for (;;) {
    const verdict = await look(world, traffic, isExcused);
    if (quietSeconds === undefined && verdict.lost === 0) {
      const books = await world.checkMoney();
      words = books.words;
      if (books.isRight) quietSeconds = seconds();
    }
    if (!isQuick && returnedSeconds === undefined && (await world.books.setAside()) === 0)
      returnedSeconds = seconds();
    const isDone = quietSeconds !== undefined && (isQuick || returnedSeconds !== undefined);
    const withinMs = quietSeconds === undefined ? QUIET_WITHIN_MS : HOME_WITHIN_MS;
    if (isDone || performance.now() - fromMs > withinMs) {
      if (quietSeconds === undefined) complaints.push(`not quiet after ${Math.round(seconds())} s: ${words}`);
      if (!isQuick && returnedSeconds === undefined)
        complaints.push(
          `${await world.books.setAside()} quota is still set aside after ${Math.round(seconds())} s`,
        );
      return { quietSeconds: quietSeconds ?? Number.NaN, returnedSeconds, complaints };
    }
    await pause(LOOK_EVERY_MS);
  }
}

async function look(world: World, traffic: Traffic, isExcused: Excuse | undefined): Promise<Verdict> {
  return checkRun({
    history: traffic.history,
    journal: await world.journal(),
    settlements: await world.books.settlements(),
    loggedTwice: await world.books.callsLoggedTwice(),
    isExcused,
    poorTokens: new Set(world.tokens.filter(({ isPoor }) => isPoor).map(({ id }) => id)),
  });
}

/** Logs of the instances, and beside them every call as its client saw it. @returns the path of the logs */
function keepEvidence(world: World, traffic: Traffic): string {
  const path = world.keepLogs();
  const lines = traffic.history.calls.map((call) => JSON.stringify({ ...call, shape: call.shape.name }));
  writeFileSync(path.replace(/log$/, 'calls.jsonl'), `${lines.join('\n')}\n`);
  return path;
}

/** SIGTERM to both: they end with 0, everything that was set aside is back, and the books are still right. */
async function endInOrder(world: World): Promise<string[]> {
  const complaints: string[] = [];
  const codes = await Promise.all(world.instances.map((instance) => instance.stop()));
  codes.forEach((code, index) => {
    if (code !== 0) complaints.push(`instance ${index + 1} ended with ${code} instead of 0`);
  });
  const books = await world.checkMoney();
  if (!books.isRight) complaints.push(`money:check after the stop: ${books.words}`);
  if ((await world.books.lowestQuota()) < 0) complaints.push('a balance is below 0');
  return complaints;
}

async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<number> {
  const fromMs = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - fromMs > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await pause(50);
  }
  return performance.now() - fromMs;
}
