import { parseJson } from '../../shared/format/json';
import type { PriceForm } from './price-documents';

export const MAX_RATIO = 1_000_000;

/** Why a document cannot be used, and where. */
export interface PriceFault {
  readonly kind: 'json' | 'object' | 'number' | 'range' | 'text' | 'list' | 'map' | 'twice';
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
  return value >= 0 && value <= MAX_RATIO ? undefined : 'range';
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Member names of the outermost object, each with its line, repeated ones too. The text must be JSON. */
export function topNames(text: string): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = [];
  let depth = 0;
  let previous = '';
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    if (depth === 1 && token.startsWith('"') && (previous === '{' || previous === ','))
      found.push({ name: JSON.parse(token) as string, line: lineAt(text, match.index) });
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    previous = token;
  }
  return found;
}

/** Line where a text stops being JSON: the first place no JSON text could begin like. */
function lineOfBreak(text: string): number {
  const stack: ('{' | '[')[] = [];
  let expected: 'value' | 'name' | 'colon' | 'after' = 'value';
  let mayClose = false;
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    const line = lineAt(text, match.index);
    // What the pattern skipped over is neither white space nor a token: an open quotation mark.
    const gap = text.slice(end, match.index);
    if (gap.trim() !== '') return lineAt(text, end + gap.search(/\S/));
    end = match.index + token.length;
    const isText = token.startsWith('"');
    if (isText && parseJson(token) === undefined) return line;
    if (expected === 'colon') {
      if (token !== ':') return line;
      expected = 'value';
    } else if (expected === 'name') {
      if (token === '}' && mayClose) {
        stack.pop();
        expected = 'after';
      } else if (isText) expected = 'colon';
      else return line;
      mayClose = false;
    } else if (expected === 'value') {
      if (token === '{' || token === '[') {
        stack.push(token);
        expected = token === '{' ? 'name' : 'value';
        mayClose = true;
        continue;
      }
      if (token === ']' && mayClose) stack.pop();
      else if (!isText && parseJson(token) === undefined) return line;
      expected = 'after';
      mayClose = false;
    } else if (token === ',' && stack.length > 0) expected = stack.at(-1) === '{' ? 'name' : 'value';
    else if (token === '}' && stack.at(-1) === '{') stack.pop();
    else if (token === ']' && stack.at(-1) === '[') stack.pop();
    else return line;
  }
  const rest = text.slice(end);
  return lineAt(text, rest.trim() === '' ? text.trimEnd().length : end + rest.search(/\S/));
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
