import type { ExportedLine } from '../../base/logs/logs.repository.js';
import { LOG_TYPE } from '../../base/logs/log.codes.js';

/** Calls of one account with one model; without either name the sum of everything. */
export interface CallSum {
  readonly username: string;
  readonly model: string;
  calls: number;
  promptTokens: number;
  completionTokens: number;
  quota: number;
}

/** Pairs of account and model that have a sum of their own; calls of further ones are in the total alone. */
const MAX_PAIRS = 10_000;

const emptySum = (username: string, model: string): CallSum => ({
  username,
  model,
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  quota: 0,
});

/** Sums of the answered calls of a file, in bounded memory. */
export class ExportSums {
  private readonly total = emptySum('', '');
  private readonly pairs = new Map<string, CallSum>();

  add(line: ExportedLine): void {
    if (line.type !== LOG_TYPE.consumption) return;
    addTo(this.total, line);
    const key = JSON.stringify([line.username, line.modelName]);
    let sum = this.pairs.get(key);
    if (sum === undefined && this.pairs.size < MAX_PAIRS) {
      sum = emptySum(line.username, line.modelName);
      this.pairs.set(key, sum);
    }
    if (sum !== undefined) addTo(sum, line);
  }

  /** Largest amount first; the sum of everything last. */
  all(): readonly CallSum[] {
    const pairs = [...this.pairs.values()].toSorted((left, right) => right.quota - left.quota);
    return [...pairs, this.total];
  }
}

function addTo(sum: CallSum, { promptTokens, completionTokens, quota }: ExportedLine): void {
  sum.calls += 1;
  sum.promptTokens += promptTokens;
  sum.completionTokens += completionTokens;
  sum.quota += quota;
}
