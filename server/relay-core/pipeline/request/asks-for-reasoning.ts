import { readField, type ScannedObject } from '../../framing/json-splice.js';

/** Members by which a request switches reasoning on, in any client API; Gemini's models have it by their names. */
const SWITCHES = ['reasoning_effort', 'reasoning', 'thinking'] as const;
/** Members of such an object with the amount. */
const AMOUNTS = ['type', 'effort', 'enabled'] as const;
const OFF: ReadonlySet<unknown> = new Set([undefined, null, false, '', 'none', 'disabled']);

/** Finds out if a request asks its model to reason: the reasoning may not be shown. */
export function asksForReasoning(document: ScannedObject): boolean {
  return SWITCHES.some((name) => document.members.has(name) && isOn(readField(document, name)));
}

function isOn(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !OFF.has(value);
  const said = AMOUNTS.filter((name) => name in value).map(
    (name) => (value as Record<string, unknown>)[name],
  );
  return said.length === 0 ? Object.keys(value).length > 0 : said.some((one) => !OFF.has(one));
}
