import type { Usage } from '../../../model/usage.js';
import { readCounts } from '../../../formats/shared/metering/counted-usage.js';

/** @returns undefined when nothing was reported (plans without tokens report zeros), 'invalid' when a figure cannot be true */
export function readUsage(value: unknown): Usage | 'invalid' | undefined {
  const usage = readCounts(value, 'input_count', 'output_count');
  if (usage === undefined || usage === 'invalid') return usage;
  return usage.input.total === 0 && usage.output.total === 0 ? undefined : usage;
}
