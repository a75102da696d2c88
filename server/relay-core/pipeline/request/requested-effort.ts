import type { ScannedObject } from '../../framing/json-splice.js';
import { readField } from '../../framing/json-splice.js';

/** Members that hold the effort in one of their own: OpenAI's Responses API, Anthropic's Messages API. */
const HOLDERS = ['reasoning', 'output_config'] as const;
const EFFORT = /^[a-z]{1,16}$/;

/** How much a request asks its model to think, by the caller's own word; undefined = it does not say. */
export function requestedEffort(document: ScannedObject): string | undefined {
  const { members } = document;
  if (members.has('reasoning_effort')) return effortValue(readField(document, 'reasoning_effort'));
  const holder = HOLDERS.find((name) => members.has(name));
  if (holder === undefined) return undefined;
  const held = readField(document, holder);
  return typeof held === 'object' && held !== null && 'effort' in held ? effortValue(held.effort) : undefined;
}

/** Nothing else a caller writes there belongs in a log. */
const effortValue = (value: unknown): string | undefined =>
  typeof value === 'string' && EFFORT.test(value) ? value : undefined;
