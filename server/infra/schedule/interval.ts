import { Interval as ScheduledInterval } from '@nestjs/schedule';
import type { IntervalRuns } from './interval-runs.js';

type Run = () => void | Promise<void>;

interface DeclaredInterval {
  readonly name: string;
  readonly periodMs: number;
}

const declared = new WeakMap<object, DeclaredInterval>();
const watched = new WeakMap<object, Map<string, IntervalRuns>>();

/** Undefined = the method is none. */
export const intervalOf = (method: object): DeclaredInterval | undefined => declared.get(method);

/** From now on each run of that interval of the instance is reported to `runs`. */
export function watchInterval(instance: object, name: string, runs: IntervalRuns): void {
  const all = watched.get(instance) ?? new Map<string, IntervalRuns>();
  watched.set(instance, all.set(name, runs));
}

/**
 * `@Interval` of @nestjs/schedule, for work of every worker. Runs never overlap: a request during a run gets that run.
 * @param name  name in the SchedulerRegistry
 */
export const Interval =
  (name: string, periodMs: number) =>
  <Method extends Run>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const method = descriptor.value;
    if (method === undefined) throw new Error(`${String(key)} is no method`);
    const underWay = new WeakMap<object, Promise<void>>();
    descriptor.value = function begin(this: object): void | Promise<void> {
      const present = underWay.get(this);
      if (present !== undefined) return present;
      const run = (): void | Promise<void> => method.call(this);
      const runs = watched.get(this)?.get(name);
      const answer = runs === undefined ? run() : runs.note(run);
      if (!(answer instanceof Promise)) return answer;
      const next = answer.finally(() => underWay.delete(this));
      underWay.set(this, next);
      return next;
    } as Method;
    declared.set(descriptor.value, { name, periodMs });
    ScheduledInterval(name, periodMs)(target, key, descriptor);
  };
