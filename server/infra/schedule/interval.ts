import { Interval as ScheduledInterval } from '@nestjs/schedule';
import type { IntervalTurns } from './interval-turns.js';

type Turn = () => void | Promise<void>;

interface DeclaredInterval {
  readonly name: string;
  readonly periodMs: number;
}

const declared = new WeakMap<object, DeclaredInterval>();
const watched = new WeakMap<object, Map<string, IntervalTurns>>();

/** Undefined = the method is none. */
export const intervalOf = (method: object): DeclaredInterval | undefined => declared.get(method);

/** From now on each turn of that interval of the instance is reported to `turns`. */
export function watchInterval(instance: object, name: string, turns: IntervalTurns): void {
  const all = watched.get(instance) ?? new Map<string, IntervalTurns>();
  watched.set(instance, all.set(name, turns));
}

/**
 * `@Interval` of @nestjs/schedule, for what every worker does by itself. Turns never overlap: who asks for one while one is under way
 * gets that one.
 * @param name  as SchedulerRegistry knows it
 */
export const Interval =
  (name: string, periodMs: number) =>
  <Method extends Turn>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const turn = descriptor.value;
    if (turn === undefined) throw new Error(`${String(key)} is no method`);
    const underWay = new WeakMap<object, Promise<void>>();
    descriptor.value = function begin(this: object): void | Promise<void> {
      const present = underWay.get(this);
      if (present !== undefined) return present;
      const run = (): void | Promise<void> => turn.call(this);
      const turns = watched.get(this)?.get(name);
      const answer = turns === undefined ? run() : turns.note(run);
      if (!(answer instanceof Promise)) return answer;
      const next = answer.finally(() => underWay.delete(this));
      underWay.set(this, next);
      return next;
    } as Method;
    declared.set(descriptor.value, { name, periodMs });
    ScheduledInterval(name, periodMs)(target, key, descriptor);
  };
