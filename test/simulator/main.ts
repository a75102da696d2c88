import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { createDatabaseOn } from '../support/database.js';
import { RealServers } from '../support/real-servers.js';
import { simulate } from './simulation.js';

/**
 * `npm run money:simulate -- --seed N --steps N [--database mariadb|postgres]`: exit 1 with what is wrong. Statements of a server cost
 * a thousand times what those of a database in memory do: 6,000 steps are a quarter of a minute.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '1000000' },
    database: { type: 'string', default: 'memory' },
  },
});
const settings = { seed: Number(values.seed), steps: Number(values.steps) };
if (!Number.isSafeInteger(settings.seed) || !(settings.steps > 0))
  throw new RangeError('--seed and --steps take whole numbers');

const { database } = values;
if (database !== 'memory' && database !== 'mariadb' && database !== 'postgres')
  throw new RangeError('--database takes memory, mariadb or postgres');

const servers = new RealServers();
const onServer =
  database === 'memory'
    ? {}
    : {
        epochSteps: 3_000,
        crashOnceIn: 150,
        breakOnceIn: 60,
        makeDatabase: async () => createDatabaseOn(database, await servers.url(database)),
      };
const report = await simulate({ ...settings, ...onServer }).finally(() => servers.stopNow());
const { faults, elapsedMs, ...figures } = report;
for (const [name, value] of Object.entries(figures))
  console.log(`${name.padEnd(20)}${value.toLocaleString('en')}`);
console.log(
  `${'steps per second'.padEnd(20)}${Math.round((report.steps / elapsedMs) * 1_000).toLocaleString('en')}`,
);
for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0
    ? `seed ${settings.seed}: the books are right`
    : `seed ${settings.seed}: ${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
