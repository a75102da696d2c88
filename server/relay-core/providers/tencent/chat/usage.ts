import type { Usage } from '../../../model/usage.js';
import { readCounts } from '../../../formats/shared/metering/counted-usage.js';

export const readUsage = (value: unknown): Usage | 'invalid' | undefined =>
  readCounts(value, 'PromptTokens', 'CompletionTokens');
