import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DataSource, QueryRunner } from 'typeorm';
import { gateConnections, gateOf } from './gate-connections.js';

/** A pool whose one connection comes when the test says so. */
function slowPool() {
  const waiting: ((connection: object) => void)[] = [];
  let out = 0;
  const createQueryRunner = (): QueryRunner => {
    const runner = {
      isReleased: false,
      connection: undefined as object | undefined,
      connect: async () => {
        out += 1;
        runner.connection = await new Promise<object>((resolve) => waiting.push(resolve));
        return runner.connection;
      },
      // Same as TypeORM: a connection that is not there yet is not given back.
      release: () => {
        runner.isReleased = true;
        if (runner.connection !== undefined) out -= 1;
        return Promise.resolve();
      },
      query: (_sql: string, [tookMs]: number[]) =>
        new Promise<void>((resolve) => setTimeout(resolve, tookMs)),
    };
    return runner as unknown as QueryRunner;
  };
  const dataSource = { driver: { createQueryRunner } } as unknown as DataSource;
  gateConnections(dataSource, {
    permits: 1,
    queueLimit: 5,
    deadlineMs: 1_000,
    silenceMs: 10_000,
    promptMs: 1_000,
  });
  const runner = (): QueryRunner => dataSource.driver.createQueryRunner('master');
  return {
    runner,
    gate: () => gateOf(dataSource)?.inside,
    promptAnswers: () => gateOf(dataSource)?.promptAnswers,
    connectionsOut: () => out,
    arrive: () => waiting.shift()?.({}),
  };
}

describe('connections behind a gate', () => {
  it('gives them back when their runner is given back before they arrive', async () => {
    const pool = slowPool();
    const runner = pool.runner();
    const connecting = runner.connect();
    await Promise.resolve();
    const released = runner.release();
    expect([pool.connectionsOut(), pool.gate()]).toEqual([1, 1]);
    pool.arrive();
    await Promise.all([connecting, released]);
    expect([pool.connectionsOut(), pool.gate()]).toEqual([0, 0]);
  });

  it('requests no connection for a runner that was released while it waited to enter', async () => {
    const pool = slowPool();
    const first = pool.runner();
    const connecting = first.connect();
    const second = pool.runner();
    const refused = expect(second.connect()).rejects.toThrow('released while it waited');
    await second.release();
    await Promise.resolve();
    pool.arrive();
    await connecting;
    await first.release();
    await refused;
    expect([pool.connectionsOut(), pool.gate()]).toEqual([0, 0]);
  });
});

describe('answers behind a gate', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('counts those that came in good time, late ones not', async () => {
    const pool = slowPool();
    const runner = pool.runner();
    const connecting = runner.connect();
    await Promise.resolve();
    pool.arrive();
    await connecting;
    for (const [tookMs, counted] of [
      [5, 1],
      [999, 2],
      [1_001, 2],
      [2_000, 2],
    ] as const) {
      const answered = runner.query('SELECT 1', [tookMs]);
      await jest.advanceTimersByTimeAsync(tookMs);
      await answered;
      expect(pool.promptAnswers()).toBe(counted);
    }
  });
});
