import { Interval as ScheduledInterval } from '@nestjs/schedule';

type Turn = () => void | Promise<void>;

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
      const answer = turn.call(this);
      if (!(answer instanceof Promise)) return answer;
      const next = answer.finally(() => underWay.delete(this));
      underWay.set(this, next);
      return next;
    } as Method;
    ScheduledInterval(name, periodMs)(target, key, descriptor);
  };
