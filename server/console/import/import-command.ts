import { OPTION_SECTIONS, type OptionSection } from '../../base/options/option-sections.js';
import { IMPORT_PARTS, type ImportPart } from './import-parts.js';
import type { ImportOrder } from './run-import.js';

export const IMPORT_HELP = `npm run import -- FROM [--dry-run] [--only users,tokens,…] [--logs 90d] [--logs-from ADDRESS]
                     [--config config.yaml] [--options prices,…] [--conflicts skip|rename] [--convert] [--take-over-root]
npm run import -- undo ID

FROM              mysql://…, postgres://…, sqlite:PATH, or the form of SQL_DSN. Without it IMPORT_SOURCE counts, else it is asked for:
                  an address with a password shows in the list of processes
--dry-run         says what an import would do, and writes nothing
--only            of ${IMPORT_PARTS.join(', ')}
--options         settings of these sections only, also in an installation in use: ${OPTION_SECTIONS.join(', ')}
--config          configuration file of LiteLLM; os.environ/X is read from the environment
--logs            the log too: of the last days (90d), or all of it (all)
--logs-from       the database of the log, where it is another one (LOG_SQL_DSN)
--conflicts       an account whose name or e-mail is taken is left out (skip), or gets another name (rename)
--convert         converts every amount where a dollar has another number of quota units here
--take-over-root  the root of the source stays root; otherwise it becomes an administrator
undo ID           takes an import back, while no imported account has spent`;

const DAY_SECONDS = 86_400;

export interface ImportCommand {
  /** Set = to be printed, and nothing else done. */
  readonly help?: string;
  readonly undo?: number;
  readonly from?: string;
  /** Path of a configuration file. */
  readonly config?: string;
  readonly order: Omit<ImportOrder, 'from' | 'actor'>;
}

/** Reads the words behind `npm run import --`. Fails: Error naming the word that is not understood. */
export function readImportCommand(given: readonly string[], nowMs: number): ImportCommand {
  const words = given.filter((word) => word !== '--');
  const order: { -readonly [Name in keyof ImportCommand['order']]: ImportCommand['order'][Name] } = {
    isDryRun: false,
    only: null,
    conflicts: 'skip',
    optionSections: null,
    takesOverRoot: false,
    converts: false,
    logs: null,
    config: null,
  };
  let from: string | undefined;
  let logsFrom = '';
  let config: string | undefined;
  const [first, second, ...more] = words;
  if (first === '--help' || first === '-h') return { help: IMPORT_HELP, order };
  if (first === 'undo') {
    if (second === undefined || more.length > 0 || !/^[1-9]\d{0,8}$/.test(second))
      throw new Error('name one import: npm run import -- undo ID');
    return { undo: Number(second), order };
  }
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const value = (): string => {
      at += 1;
      const text = words[at];
      if (text === undefined)
        throw new Error(`${word} needs a value; npm run import -- --help lists the words`);
      return text;
    };
    switch (word) {
      case '--dry-run':
        order.isDryRun = true;
        break;
      case '--only':
        order.only = partsOf(value());
        break;
      case '--config':
        config = value();
        break;
      case '--options':
        order.optionSections = sectionsOf(value());
        break;
      case '--conflicts':
        order.conflicts = conflictsOf(value());
        break;
      case '--convert':
        order.converts = true;
        break;
      case '--take-over-root':
        order.takesOverRoot = true;
        break;
      case '--logs':
        order.logs = { since: sinceOf(value(), nowMs), from: '' };
        break;
      case '--logs-from':
        logsFrom = value();
        break;
      default:
        if (word.startsWith('-') || from !== undefined)
          throw new Error(`not understood: ${word.slice(0, 40)}; npm run import -- --help lists the words`);
        from = word;
    }
  }
  if (logsFrom !== '') order.logs = { since: order.logs?.since ?? 0, from: logsFrom };
  return {
    order,
    ...(from === undefined ? {} : { from }),
    ...(config === undefined ? {} : { config }),
  };
}

function partsOf(text: string): ReadonlySet<ImportPart> {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !IMPORT_PARTS.some((part) => part === name));
  if (wrong !== undefined)
    throw new Error(`--only knows ${IMPORT_PARTS.join(', ')}, not ${wrong.slice(0, 40)}`);
  return new Set(IMPORT_PARTS.filter((part) => names.includes(part)));
}

function sectionsOf(text: string): ReadonlySet<OptionSection> {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !OPTION_SECTIONS.some((section) => section === name));
  if (wrong !== undefined)
    throw new Error(`--options knows ${OPTION_SECTIONS.join(', ')}, not ${wrong.slice(0, 40)}`);
  return new Set(OPTION_SECTIONS.filter((section) => names.includes(section)));
}

function conflictsOf(text: string): 'skip' | 'rename' {
  if (text === 'skip' || text === 'rename') return text;
  throw new Error(`--conflicts is skip or rename, not ${text.slice(0, 40)}`);
}

function sinceOf(text: string, nowMs: number): number {
  if (text === 'all') return 0;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days === undefined)
    throw new Error(`--logs is a number of days such as 90d, or all; not ${text.slice(0, 40)}`);
  return Math.floor(nowMs / 1_000) - Number(days) * DAY_SECONDS;
}
