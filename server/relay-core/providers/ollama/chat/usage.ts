import { isTokenCountOrNone, type Usage } from '../../../model/usage.js';
import type { Document } from '../../../formats/shared/fields/json-fields.js';

/**
 * Figures of the last line. A prompt that lay in the server's cache is told as zero or not at all: then it is not known.
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readUsage(document: Document): Usage | 'invalid' | undefined {
  const input = document['prompt_eval_count'];
  const output = document['eval_count'];
  if (input === undefined && output === undefined) return undefined;
  if (!isTokenCountOrNone(input) || !isTokenCountOrNone(output)) return 'invalid';
  return {
    input: { total: input === null || input === 0 ? undefined : input },
    output: { total: output ?? undefined },
  };
}
