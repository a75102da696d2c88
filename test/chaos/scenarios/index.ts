import { crowd } from './crowd.js';
import { limits } from './limits.js';
import * as others from './other-faults.js';
import * as processes from './processes.js';
import * as redis from './redis-faults.js';
import { selection } from './selection.js';
import * as sql from './sql-faults.js';
import type { Scenario } from './scenario.js';
import { rollingUpgrade } from './upgrade.js';

/** Every scenario, in the order `all` runs them. */
export const SCENARIOS: readonly Scenario[] = [
  processes.baseline,
  crowd,
  limits,
  processes.workerKilled,
  processes.instanceKilledSpoolLeft,
  processes.instanceKilledSpoolLost,
  processes.instanceAndRegistryLost,
  redis.redisPaused,
  redis.redisSlow,
  redis.redisFlushed,
  redis.redisRestartedEmpty,
  redis.redisFromSnapshot,
  redis.redisReadOnly,
  redis.redisFull,
  redis.redisPartition,
  sql.sqlRestarted,
  sql.sqlKilled,
  sql.sqlSlow,
  sql.sqlGone,
  sql.commitsLost,
  sql.sqlPartition,
  sql.bothGone,
  others.spoolDiskFull,
  others.upstreamCuts,
  others.upstreamResets,
  others.upstreamHung,
  others.upstreamErrors,
  processes.rollingRestart,
  rollingUpgrade,
  processes.workersRolled,
  processes.workerHung,
  processes.clockMoved,
  processes.leaderPaused,
  others.nemesis,
  selection,
];
