import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DegradedModes } from '../observability/degraded-modes.js';
import { MetricsRegistry } from '../observability/metrics-registry.js';

/** Time span of the metrics. */
export const WINDOW_MS = 10_000;

/** Often enough to see what clients feel; each look wakes a process that has nothing to do. */
const SAMPLE_EVERY_MS = 50;
const JUDGE_EVERY_MS = 500;
/** New calls are shed from here on. */
const SHED_FROM_MS = 200;
/** Together late turns cost this much of ten seconds: a fifth. */
const SHED_LOST_MS = 2_000;
/**
 * Cores this process used meanwhile. A process that is late and did next to nothing was kept from running by others on the machine:
 * refusing calls would not make it any faster.
 */
const SHED_BUSY_CORES = 0.3;
/** The process is not ready from here on. */
const UNREADY_FROM_MS = 2_000;

/**
 * Watches how late this process's event loop is: overloaded, it sheds new calls; blocked for seconds, it is not ready. Blocked for
 * good, its supervisor kills it, which is nothing it could do itself.
 */
@Injectable()
export class EventLoopWatch implements OnApplicationShutdown {
  private readonly delays = new LoopDelays(SAMPLE_EVERY_MS);
  private readonly listeners = new Set<(isOverloaded: boolean) => void>();
  private sampler: NodeJS.Timeout | undefined;
  private overloaded = false;
  private blocked = false;
  private judgedMs = 0;
  private readonly cpu: { readonly atMs: number; readonly usedMs: number }[] = [];

  constructor(
    private readonly modes: DegradedModes,
    figures: MetricsRegistry,
  ) {
    figures.gauge(
      'tollgate_event_loop_delay_p99_seconds',
      'How late the event loop was, 99 of 100 turns.',
      () => (this.sampler === undefined ? undefined : this.p99Ms / 1_000),
    );
    figures.gauge(
      'tollgate_event_loop_delay_max_seconds',
      'The latest turn of the event loop in 10 s.',
      () => (this.sampler === undefined ? undefined : this.longestMs / 1_000),
    );
  }

  /** 99th percentile of the last ten seconds, in milliseconds. */
  get p99Ms(): number {
    return this.delays.p99Ms(performance.now());
  }

  get longestMs(): number {
    return this.delays.longestMs(performance.now());
  }

  /** It stood still for seconds within the last ten. */
  get isBlocked(): boolean {
    return this.blocked;
  }

  onOverload(listener: (isOverloaded: boolean) => void): void {
    this.listeners.add(listener);
  }

  /** Begins once the process serves: its start does not count as load. */
  start(): void {
    if (this.sampler !== undefined) return;
    let expectedMs = performance.now() + SAMPLE_EVERY_MS;
    const sample = (): void => {
      const nowMs = performance.now();
      this.observe(nowMs - expectedMs, nowMs, () => ownCpuMs());
      expectedMs = nowMs + SAMPLE_EVERY_MS;
    };
    this.sampler = setInterval(sample, SAMPLE_EVERY_MS).unref();
  }

  /** One turn, `delayMs` late. @param readCpuMs  processor time this process has used so far */
  observe(delayMs: number, nowMs: number, readCpuMs: () => number): void {
    this.delays.record(delayMs, nowMs);
    if (delayMs < SHED_FROM_MS && nowMs - this.judgedMs < JUDGE_EVERY_MS) return;
    this.judgedMs = nowMs;
    this.evaluate(nowMs, readCpuMs());
  }

  onApplicationShutdown(): void {
    clearInterval(this.sampler);
  }

  private evaluate(nowMs: number, cpuMs: number): void {
    const p99Ms = this.delays.p99Ms(nowMs);
    const longestMs = this.delays.longestMs(nowMs);
    this.blocked = longestMs > UNREADY_FROM_MS;
    const wasOverloaded = this.overloaded;
    const cores = this.coresUsed(nowMs, cpuMs);
    this.overloaded =
      p99Ms > SHED_FROM_MS &&
      this.delays.lostMs(SHED_FROM_MS, nowMs) > SHED_LOST_MS &&
      cores > SHED_BUSY_CORES;
    this.modes.set('event-loop-slow', this.overloaded || this.blocked ? describe(p99Ms, longestMs) : null);
    if (wasOverloaded !== this.overloaded) for (const listener of this.listeners) listener(this.overloaded);
  }

  /** On average, since the oldest judgement of the window. */
  private coresUsed(nowMs: number, usedMs: number): number {
    this.cpu.push({ atMs: nowMs, usedMs });
    while ((this.cpu[0]?.atMs ?? nowMs) < nowMs - WINDOW_MS) this.cpu.shift();
    const [oldest] = this.cpu;
    return oldest === undefined || oldest.atMs === nowMs
      ? 0
      : (usedMs - oldest.usedMs) / (nowMs - oldest.atMs);
  }
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const describe = (p99Ms: number, longestMs: number): string =>
  `turns of the event loop were ${Math.round(p99Ms)} ms late (the latest ${Math.round(longestMs)} ms)`;

/**
 * Delays of an event loop during the last ten seconds: a timer that is due every few milliseconds records its delay each time. Both
 * metrics fall back to nothing by themselves as time passes.
 */
export class LoopDelays {
  private readonly delaysMs: Float64Array;
  private readonly timesMs: Float64Array;
  private next = 0;

  /** @param everyMs  how often a delay is recorded at most */
  constructor(everyMs: number) {
    const size = Math.ceil(WINDOW_MS / everyMs) + 1;
    this.delaysMs = new Float64Array(size);
    this.timesMs = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  }

  record(delayMs: number, nowMs: number): void {
    this.delaysMs[this.next] = Math.max(0, delayMs);
    this.timesMs[this.next] = nowMs;
    this.next = (this.next + 1) % this.delaysMs.length;
  }

  /**
   * 99 of a hundred turns were not later than this; of fewer turns the second latest at most, so that one long turn (a large
   * document, a garbage collection) is not yet an overload.
   */
  p99Ms(nowMs: number): number {
    const recent = this.recent(nowMs).sort((a, b) => b - a);
    return recent[Math.ceil(recent.length / 100)] ?? 0;
  }

  /** Together, in milliseconds: turns that were later than `fromMs`. */
  lostMs(fromMs: number, nowMs: number): number {
    return this.recent(nowMs).reduce((sum, delay) => (delay > fromMs ? sum + delay : sum), 0);
  }

  /** The latest turn of all. */
  longestMs(nowMs: number): number {
    return this.recent(nowMs).reduce((longest, delay) => Math.max(longest, delay), 0);
  }

  private recent(nowMs: number): number[] {
    const delays: number[] = [];
    for (const [index, atMs] of this.timesMs.entries())
      if (atMs > nowMs - WINDOW_MS) delays.push(this.delaysMs[index] ?? 0);
    return delays;
  }
}
