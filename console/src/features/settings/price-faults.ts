import { losesDigits, parseJson } from '../../shared/format/json';
import { JSON_TOKEN, lineAt, lineOfBreak } from '../../shared/format/json-lines';
import { LIMITS } from '../../shared/form/limits';
import type { PriceForm } from './price-documents';

/** Why a document cannot be used, and where. */
export interface PriceFault {
  readonly kind: 'json' | 'object' | 'number' | 'range' | 'text' | 'list' | 'map' | 'twice' | 'digits';
  /** Counts from 1; undefined where the fault is of the whole text. */
  readonly line?: number;
  readonly name?: string;
}

/** The first fault of a document; undefined when it can be saved. An empty text is an empty document. */
export function priceFault(text: string, form: PriceForm): PriceFault | undefined {
  if (text.trim() === '') return undefined;
  const value = parseJson(text);
  if (value === undefined) return { kind: 'json', line: lineOfBreak(text) };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'object', line: 1 };
  const names = topNames(text);
  const seen = new Set<string>();
  for (const { name, line } of names) {
    if (seen.has(name)) return { kind: 'twice', line, name };
    seen.add(name);
  }
  const entries = value as Readonly<Record<string, unknown>>;
  for (const { name, line } of names) {
    const kind = entryFault(entries[name], form);
    if (kind !== undefined) return { kind, line, name };
  }
  return lostDigits(text, names);
}

/** The first figure that would be stored as another one; named by the entry it stands in. */
function lostDigits(
  text: string,
  names: readonly { readonly name: string; readonly line: number }[],
): PriceFault | undefined {
  for (const match of text.matchAll(JSON_TOKEN)) {
    if (!/^-?\d/.test(match[0]) || !losesDigits(match[0])) continue;
    const line = lineAt(text, match.index);
    const name = names.findLast((each) => each.line <= line)?.name;
    return { kind: 'digits', line, name };
  }
  return undefined;
}

function entryFault(value: unknown, form: PriceForm): PriceFault['kind'] | undefined {
  if (form === 'numbers') return numberFault(value);
  if (form === 'texts') return typeof value === 'string' ? undefined : 'text';
  if (form === 'lists') return Array.isArray(value) ? undefined : 'list';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'map';
  return Object.values(value)
    .map(numberFault)
    .find((kind) => kind !== undefined);
}

function numberFault(value: unknown): 'number' | 'range' | undefined {
  if (typeof value !== 'number') return 'number';
  return value >= 0 && value <= LIMITS.modelRatio ? undefined : 'range';
}

/** Member names of the outermost object, each with its line, repeated ones too. The text must be JSON. */
export function topNames(text: string): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = [];
  let depth = 0;
  let previous = '';
  for (const match of text.matchAll(JSON_TOKEN)) {
    const token = match[0];
    if (depth === 1 && token.startsWith('"') && (previous === '{' || previous === ','))
      found.push({ name: JSON.parse(token) as string, line: lineAt(text, match.index) });
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    previous = token;
  }
  return found;
}
