import { isWorkerReport, WORKER_BEAT, WORKER_ORDERS, type WorkerOrder } from './worker-messages.js';

const FIRST_DELAY_MS = 100;
const QUICK_RESTARTS = 5;
const MAX_DELAY_MS = 30_000;

/** A worker whose event loop gave no sign for this long is hung, and is killed. */
export const SILENT_MS = 30_000;
/** A start may migrate a large database in one blocking statement. */
const STARTING_MS = 600_000;
const MINUTE_MS = 60_000;
const CHECK_INTERVAL_MS = 1_000;
/** A check that much later than planned means that the supervisor itself was paused: silence then proves nothing. */
const OWN_PAUSE_MS = 5_000;

/** One process, as the group sees it. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  send(order: WorkerOrder): void;
  kill(): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (code: number, signal: string) => void): void;
}

export interface WorkerGroupPorts {
  /** @param index  place among the workers that live now, from 0 */
  readonly fork: (index: number, variables: Readonly<Record<string, string>>) => WorkerProcess;
  /** So many workers start at once when the group does: a start takes a core for seconds, which others on the machine may need. */
  readonly startsAtOnce: number;
  readonly nowMs: () => number;
  /** @returns what cancels it */
  readonly after: (delayMs: number, action: () => void) => () => void;
  readonly log: (level: 'log' | 'warn' | 'error', message: string) => void;
  /** The first worker serves. Called once. */
  readonly onReady: (listeningPort: number) => void;
  /** The last worker has ended and none will start. */
  readonly onEnd: (exitCode: number) => void;
}

/** Number of workers, and their settings on top of the supervisor's environment. */
export interface GroupPlan {
  readonly workers: number;
  readonly variables: Readonly<Record<string, string>>;
}

interface Member {
  readonly index: number;
  readonly process: WorkerProcess;
  lastSignMs: number;
  /** Hung, and killed: the system has not ended it yet. */
  isCondemned?: boolean;
  /** `leaving`: has the stop order; it is not replaced any more. */
  state: 'starting' | 'serving' | 'leaving';
  /** Set while an exchange waits for it: called with true when it serves, false when it died before. */
  onSettled: ((isServing: boolean) => void) | undefined;
}

/**
 * The workers of an instance: as many as planned, always. Replaces the dead with growing pauses, kills the hung, has the spool of
 * a dead one booked by another at once, and exchanges all of them one by one when the plan changes: the new one serves before
 * the old one gets the stop order.
 */
export class WorkerGroup {
  private readonly members = new Set<Member>();
  private readonly deaths: number[] = [];
  /** Restarts that wait for their pause to be over. */
  private waiting = 0;
  /** Number of first workers that have not started yet. */
  private unstarted = 0;
  private isAnnounced = false;
  private isStopping = false;
  private exitCode = 0;
  private rolling: Promise<void> | undefined;
  private nextPlan: GroupPlan | undefined;
  private lastLookMs = 0;

  constructor(
    private plan: GroupPlan,
    private readonly ports: WorkerGroupPorts,
  ) {}

  start(): void {
    this.unstarted = this.plan.workers;
    this.startMore();
    this.lastLookMs = this.ports.nowMs();
    this.look();
  }

  private startMore(): void {
    const starting = [...this.members].filter(({ state }) => state === 'starting').length;
    const count = Math.min(this.unstarted, this.ports.startsAtOnce - starting);
    for (let started = 0; started < count; started += 1) {
      this.unstarted -= 1;
      this.add();
    }
  }

  /** First time: all drain and end. Again: all end within seconds. */
  stop(): void {
    const order = this.isStopping ? WORKER_ORDERS.hurry : WORKER_ORDERS.stop;
    this.isStopping = true;
    this.unstarted = 0;
    if (this.members.size === 0) return this.ports.onEnd(this.exitCode);
    for (const { process } of this.members) process.send(order);
  }

  /**
   * Exchanges the workers for ones of another plan, one by one. During an exchange the newest plan waits.
   * Resolves when the last old worker has the stop order, or the exchange ended because a new one could not start.
   */
  roll(plan: GroupPlan): Promise<void> {
    this.nextPlan = plan;
    this.rolling ??= this.rollOn().finally(() => {
      this.rolling = undefined;
    });
    return this.rolling;
  }

  /** Workers that are not leaving. */
  private get current(): Member[] {
    return [...this.members].filter(({ state }) => state !== 'leaving');
  }

  private async rollOn(): Promise<void> {
    for (let plan = this.nextPlan; plan !== undefined && !this.isStopping; plan = this.nextPlan) {
      this.nextPlan = undefined;
      const former = this.plan;
      const old = this.current;
      this.unstarted = 0;
      // From now on replacements of the dead are of the new kind too.
      this.plan = plan;
      const isDone = await this.exchange(old, plan);
      if (!isDone && !this.isStopping) {
        this.ports.log('error', 'a worker with the new settings could not start; the old settings stay');
        await this.rollBack(former, old);
      }
      this.trim();
    }
  }

  /** Half an exchange would leave two kinds of workers side by side. */
  private async rollBack(former: GroupPlan, old: readonly Member[]): Promise<void> {
    this.plan = former;
    for (const member of this.current.filter((one) => !old.includes(one))) {
      if (!(await this.added())) break;
      this.dismiss(member);
    }
    const missing = former.workers - this.current.length - this.waiting;
    for (let count = 0; count < missing; count += 1)
      this.replaceLater('a worker is missing after the exchange');
  }

  /** A worker that died meanwhile was replaced as well as exchanged. */
  private trim(): void {
    for (const member of this.current.slice(this.plan.workers)) this.dismiss(member);
  }

  /** @returns false when a new worker died before it served */
  private async exchange(old: readonly Member[], plan: GroupPlan): Promise<boolean> {
    for (let done = 0; done < Math.max(plan.workers, old.length); done += 1) {
      if (this.isStopping) return false;
      if (done < plan.workers && !(await this.added())) return false;
      const leaver = old[done];
      if (leaver !== undefined && this.members.has(leaver)) this.dismiss(leaver);
    }
    this.ports.log('log', `${plan.workers} worker(s) run with the new settings`);
    return true;
  }

  private added(): Promise<boolean> {
    return new Promise((resolve) => {
      this.add().onSettled = resolve;
    });
  }

  private dismiss(member: Member): void {
    member.state = 'leaving';
    member.process.send(WORKER_ORDERS.leave);
  }

  private add(): Member {
    const taken = new Set([...this.members].map(({ index }) => index));
    let index = 0;
    while (taken.has(index)) index += 1;
    const nowMs = this.ports.nowMs();
    const process = this.ports.fork(index, this.plan.variables);
    const member: Member = {
      index,
      process,
      lastSignMs: nowMs,
      state: 'starting',
      onSettled: undefined,
    };
    this.members.add(member);
    process.onMessage((message) => this.onMessage(member, message));
    process.onExit((code, signal) => this.onExit(member, code, signal));
    return member;
  }

  private onMessage(member: Member, message: unknown): void {
    member.lastSignMs = this.ports.nowMs();
    if (message === WORKER_BEAT || !isWorkerReport(message)) return;
    if (member.state === 'starting') {
      member.state = 'serving';
      this.startMore();
    }
    member.onSettled?.(true);
    if (this.isAnnounced) return;
    this.isAnnounced = true;
    this.ports.onReady(message.listeningPort);
  }

  private onExit(member: Member, code: number, signal: string): void {
    this.members.delete(member);
    const { state, index, process } = member;
    if (this.isStopping) {
      this.exitCode ||= code;
      member.onSettled?.(false);
      if (this.members.size === 0) this.ports.onEnd(this.exitCode);
      return;
    }
    if (!this.isAnnounced && code !== 0) return this.abortStart(code);
    const name = `worker ${index} (pid ${process.pid})`;
    if (state === 'leaving') {
      if (code === 0) this.ports.log('log', `${name} has left`);
      else {
        this.ports.log('warn', `${name} ended with ${signal || code} while it was leaving`);
        this.requestSpoolAdoption();
      }
      return;
    }
    this.requestSpoolAdoption();
    this.startMore();
    if (state === 'starting' && member.onSettled !== undefined) {
      this.ports.log('error', `${name} ended with ${signal || code} before it served`);
      member.onSettled(false);
      return;
    }
    this.replaceLater(`${name} ended with ${signal || code}`);
  }

  private replaceLater(what: string): void {
    const nowMs = this.ports.nowMs();
    this.deaths.push(nowMs);
    while ((this.deaths[0] ?? nowMs) < nowMs - MINUTE_MS) this.deaths.shift();
    const delayMs = restartDelayMs(this.deaths.length);
    this.ports.log('error', `${what}, a new one starts in ${delayMs} ms`);
    this.waiting += 1;
    this.ports.after(delayMs, () => {
      this.waiting -= 1;
      if (!this.isStopping && this.current.length < this.plan.workers) this.add();
    });
  }

  /** Anyone who serves may do it: of two that try, one gets it. */
  private requestSpoolAdoption(): void {
    const [heir] = this.current.filter(({ state }) => state === 'serving');
    heir?.process.send(WORKER_ORDERS.adopt);
  }

  /** No worker has ever served: the start itself is at fault, a port in use or a database unavailable, and a restart would hide it. */
  private abortStart(code: number): void {
    this.isStopping = true;
    this.exitCode = code;
    if (this.members.size === 0) return this.ports.onEnd(code);
    for (const { process } of this.members) process.send(WORKER_ORDERS.stop);
  }

  /** Kills workers that have been silent for too long. */
  private look(): void {
    const nowMs = this.ports.nowMs();
    if (nowMs - this.lastLookMs > CHECK_INTERVAL_MS + OWN_PAUSE_MS)
      for (const member of this.members) member.lastSignMs = nowMs;
    this.lastLookMs = nowMs;
    for (const member of this.members) {
      const { index, process, state, lastSignMs } = member;
      const silentMs = nowMs - lastSignMs;
      if (silentMs <= (state === 'starting' ? STARTING_MS : SILENT_MS)) continue;
      // The system may take a while to end it: killed at every check, and logged once.
      if (!member.isCondemned)
        this.ports.log(
          'error',
          `worker ${index} (pid ${process.pid}) has been hung for ${Math.round(silentMs / 1_000)} s and is killed`,
        );
      member.isCondemned = true;
      process.kill();
    }
    this.ports.after(CHECK_INTERVAL_MS, () => this.look());
  }
}

/**
 * Delay before a dead worker is replaced: at once for the first five deaths within a minute, then twice as long each
 * time.
 * @param recentDeaths  deaths within the last minute, this one included
 */
export function restartDelayMs(recentDeaths: number): number {
  if (recentDeaths <= QUICK_RESTARTS) return FIRST_DELAY_MS;
  return Math.min(MAX_DELAY_MS, 1_000 * 2 ** (recentDeaths - QUICK_RESTARTS));
}
