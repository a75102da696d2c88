import { isTokenCount, type Usage } from '../../../model/usage.js';
import { documentOf, isDocument, type Document } from '../fields/json-fields.js';

type Details = readonly (readonly [(keyof Usage['input'] & keyof Usage['output']) | 'cacheRead', string])[];

const INPUT_DETAILS: Details = [
  ['cacheRead', 'cached_tokens'],
  ['audio', 'audio_tokens'],
  ['image', 'image_tokens'],
];
const OUTPUT_DETAILS: Details = [
  ['audio', 'audio_tokens'],
  ['image', 'image_tokens'],
];

/**
 * Token usage as OpenAI's media models and realtime sessions report it: `input_tokens`, `output_tokens`, and their
 * details under `input_token_details` or `input_tokens_details`. Cached sound is counted as cached, not as sound.
 * @returns undefined when no tokens were reported, 'invalid' when a figure cannot be true
 */
export function readTokenUsage(value: unknown): Usage | 'invalid' | undefined {
  if (value === null || value === undefined) return undefined;
  if (!isDocument(value)) return 'invalid';
  const input = value['input_tokens'];
  const output = value['output_tokens'];
  if ((input === undefined || input === null) && (output === undefined || output === null)) return undefined;
  const inputDetails = documentOf(value['input_token_details'] ?? value['input_tokens_details']);
  const outputDetails = documentOf(value['output_token_details'] ?? value['output_tokens_details']);
  const cached = documentOf(inputDetails['cached_tokens_details']);
  const inputParts = partsOf(inputDetails, INPUT_DETAILS);
  const outputParts = partsOf(outputDetails, OUTPUT_DETAILS);
  const cachedParts = partsOf(cached, INPUT_DETAILS);
  if (inputParts === undefined || outputParts === undefined || cachedParts === undefined) return 'invalid';
  if (!isTokenCount(input ?? 0) || !isTokenCount(output ?? 0)) return 'invalid';
  const parts: Record<string, number> = { ...inputParts };
  for (const name of ['audio', 'image'] as const) {
    const left = parts[name];
    if (left !== undefined) parts[name] = Math.max(0, left - (cachedParts[name] ?? 0));
  }
  return {
    input: { total: (input ?? 0) as number, ...parts },
    output: { total: (output ?? 0) as number, ...outputParts },
  };
}

function partsOf(details: Document, names: Details): Readonly<Record<string, number>> | undefined {
  const parts: Record<string, number> = {};
  for (const [name, member] of names) {
    const value = details[member];
    if (value === undefined || value === null) continue;
    if (!isTokenCount(value)) return undefined;
    parts[name] = value as number;
  }
  return parts;
}
