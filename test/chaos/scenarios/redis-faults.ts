import { Redis } from 'ioredis';
import { firstByteMsAt } from '../load/history.js';
import type { World } from '../rig/world.js';
import {
  expectAllServed,
  type Aftermath,
  type Scenario,
  type Stage,
  breakLine,
  whileFaulty,
} from './scenario.js';

/** While Redis is away no call fails, and none waits longer than a breaker takes to open. */
const SLOWER_AT_MOST_MS = 400;

function expectUnharmed(aftermath: Aftermath): void {
  expectAllServed(aftermath, aftermath.history.warm, 'because of Redis');
  const { before, during } = aftermath;
  if (during.length === 0 || before.length === 0) return;
  const [usual, faulty] = [firstByteMsAt(before, 0.99), firstByteMsAt(during, 0.99)];
  aftermath.note('p99', `${Math.round(usual)} → ${Math.round(faulty)} ms`);
  aftermath.note(
    'p50',
    `${Math.round(firstByteMsAt(before, 0.5))} → ${Math.round(firstByteMsAt(during, 0.5))} ms`,
  );
}

async function command(world: World, ...words: readonly [string, ...string[]]): Promise<void> {
  const [name, ...rest] = words;
  const client = new Redis(world.redis.url, { lazyConnect: true, maxRetriesPerRequest: 1 });
  await client.connect();
  await client.call(name, ...rest);
  client.disconnect();
}

const redisScenario = (
  name: string,
  row: string,
  what: string,
  fault: (stage: Stage) => Promise<void>,
): Scenario => ({
  name,
  row,
  what,
  run: async (stage) => {
    await stage.pass(0.3);
    await whileFaulty(stage, () => fault(stage));
  },
  check: expectUnharmed,
});

export const redisPaused: Scenario = {
  ...redisScenario('redis-paused', 'F-60', 'Redis is paused for 5 s (SIGSTOP)', async (stage) => {
    stage.world.redis.pause();
    await stage.passSeconds(5);
    stage.world.redis.resume();
  }),
  check: (aftermath) => {
    expectUnharmed(aftermath);
    const { before, during } = aftermath;
    const slower = firstByteMsAt(during, 0.99) - firstByteMsAt(before, 0.99);
    if (slower > SLOWER_AT_MOST_MS)
      aftermath.regret(`p99 rose by ${Math.round(slower)} ms while Redis was paused`);
  },
};

export const redisFlushed = redisScenario('redis-flushed', 'F-61', 'FLUSHALL', (stage) =>
  stage.world.redis.flush(),
);

export const redisRestartedEmpty = redisScenario(
  'redis-empty',
  'F-61',
  'Redis is killed, away for 3 s, and starts empty',
  async (stage) => {
    await stage.world.redis.kill();
    await stage.passSeconds(3);
    await stage.world.redis.restart();
  },
);

export const redisFromSnapshot = redisScenario(
  'redis-snapshot',
  'F-61',
  'Redis is killed and starts from a snapshot that is some seconds old',
  async (stage) => {
    await command(stage.world, 'SAVE');
    await stage.passSeconds(4);
    await stage.world.redis.restart();
  },
);

export const redisReadOnly = redisScenario(
  'redis-read-only',
  'F-61',
  'Redis becomes a replica that takes no writes, for 5 s',
  async (stage) => {
    await command(stage.world, 'REPLICAOF', '127.0.0.1', '1');
    await stage.passSeconds(5);
    await command(stage.world, 'REPLICAOF', 'NO', 'ONE');
  },
);

export const redisFull = redisScenario(
  'redis-full',
  'F-61',
  'Redis has reached its memory limit (noeviction), for 5 s',
  async (stage) => {
    await command(stage.world, 'CONFIG', 'SET', 'maxmemory', '1');
    await stage.passSeconds(5);
    await command(stage.world, 'CONFIG', 'SET', 'maxmemory', '0');
  },
);

export const redisSlow = redisScenario(
  'redis-slow',
  'F-60',
  'every answer of Redis is half a second late, for 5 s',
  async (stage) => {
    await breakLine(stage, { store: 'redis', fault: { kind: 'delay', delayMs: 250 }, seconds: 5 });
  },
);

export const redisPartition = redisScenario(
  'redis-partition',
  'F-66',
  'one instance is cut off from Redis for 8 s',
  async (stage) => {
    await breakLine(stage, { store: 'redis', fault: { kind: 'black-hole' }, seconds: 8, instance: 1 });
  },
);
