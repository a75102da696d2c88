import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { simulate } from './simulation.js';

/** `npm run money:simulate -- --seed N --steps N`: exit 1 with what is wrong. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '1000000' },
  },
});
const settings = { seed: Number(values.seed), steps: Number(values.steps) };
if (!Number.isSafeInteger(settings.seed) || !(settings.steps > 0))
  throw new RangeError('--seed and --steps take whole numbers');

const report = await simulate(settings);
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
