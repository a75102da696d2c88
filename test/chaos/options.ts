import { parseArgs } from 'node:util';
import { join } from 'node:path';
import type { SqlKind } from './rig/sql-server.js';
import { SCENARIOS } from './scenarios/index.js';
import type { Scenario } from './scenarios/scenario.js';

export interface ChaosOptions {
  readonly scenarios: readonly Scenario[];
  readonly seed: number;
  readonly seconds: number;
  readonly callsPerSecond: number;
  readonly accounts: number;
  readonly database: SqlKind;
  /** Address of a server that runs already; undefined = one of our own. */
  readonly server: string | undefined;
  readonly program: string;
  /** `dist/server/main.js` of the version before, for rolling-upgrade. */
  readonly firstProgram: string | undefined;
  readonly isQuick: boolean;
  readonly isJson: boolean;
  readonly keepsLogs: boolean;
  readonly isSafetyOnly: boolean;
}

export class UsageError extends Error {}

const USAGE = `npm run chaos -- [SCENARIO … | all] [--seed N] [--seconds N] [--rate N] [--accounts N]
                 [--database mariadb|postgres] [--from FILE] [--quick] [--safety] [--json] [--keep-logs]`;

/** Fails: UsageError with how it is called and what there is. */
export function readOptions(words: readonly string[]): ChaosOptions {
  const { values, positionals } = parse(words);
  if (values.help) throw new UsageError(`${USAGE}\nScenarios:\n${scenarioList()}`);
  const whole = (name: 'seed' | 'seconds' | 'rate' | 'accounts', least: number): number => {
    const value = Number(values[name]);
    if (!Number.isSafeInteger(value) || value < least)
      throw new UsageError(`--${name} takes a whole number of at least ${least}`);
    return value;
  };
  const { database } = values;
  if (database !== 'mariadb' && database !== 'postgres')
    throw new UsageError('--database is mariadb or postgres');
  return {
    scenarios: scenariosOf(positionals),
    seed: whole('seed', 0),
    seconds: whole('seconds', 5),
    callsPerSecond: whole('rate', 1),
    accounts: whole('accounts', 1),
    database,
    server: values.server,
    program: values.program,
    firstProgram: values.from,
    isQuick: values.quick,
    isJson: values.json,
    keepsLogs: values['keep-logs'],
    isSafetyOnly: values.safety,
  };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        seconds: { type: 'string', default: '20' },
        rate: { type: 'string', default: '200' },
        accounts: { type: 'string', default: '16' },
        database: { type: 'string', default: 'mariadb' },
        server: { type: 'string' },
        program: { type: 'string', default: join(import.meta.dirname, '../../dist/server/main.js') },
        from: { type: 'string' },
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        safety: { type: 'boolean', default: false },
        'keep-logs': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

function scenariosOf(names: readonly string[]): readonly Scenario[] {
  if (names.length === 0 || names.includes('all')) return SCENARIOS;
  return names.map((name) => {
    const found = SCENARIOS.find((scenario) => scenario.name === name);
    if (found !== undefined) return found;
    throw new UsageError(`There is no scenario ${name}.\n${USAGE}\nScenarios:\n${scenarioList()}`);
  });
}

const scenarioList = (): string =>
  SCENARIOS.map((one) => `  ${one.name.padEnd(24)}${one.row.padEnd(18)}${one.what}`).join('\n');
