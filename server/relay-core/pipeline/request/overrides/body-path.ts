import { isRawNumber } from '../../../framing/exact-json.js';

/** Dotted places inside a JSON document: `messages.0.content`, `tools.-1.name` (negative counts from the end). */
export type BodyPath = readonly string[];

export type JsonObject = Record<string, unknown>;

const MAX_PARTS = 16;
const FORBIDDEN_PARTS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** @returns undefined for an empty path, one that is too deep, or one that names a prototype */
export function parsePath(text: string): BodyPath | undefined {
  if (text === '' || text.length > 500) return undefined;
  const parts = text.split('.');
  const isRight =
    parts.length <= MAX_PARTS && parts.every((part) => part !== '' && !FORBIDDEN_PARTS.has(part));
  return isRight ? parts : undefined;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

/** The value at a place; undefined = nothing is there. */
export function readPath(document: unknown, path: BodyPath): unknown {
  let current = document;
  for (const part of path) {
    if (Array.isArray(current)) current = current[indexOf(part, current.length) ?? -1];
    else if (isObject(current) && Object.hasOwn(current, part)) current = current[part];
    else return undefined;
  }
  return current;
}

/**
 * Writes a value, making the objects on the way; an array grows by one at most.
 * @returns false when something on the way is neither object nor array, or an index lies outside
 */
export function writePath(document: JsonObject, path: BodyPath, value: unknown): boolean {
  let current: unknown = document;
  for (const [step, part] of path.entries()) {
    const isLast = step === path.length - 1;
    if (Array.isArray(current)) {
      const list: unknown[] = current;
      const index = indexOf(part, list.length, isLast);
      if (index === undefined) return false;
      if (isLast) list[index] = value;
      current = list[index];
    } else if (isObject(current)) {
      if (isLast) current[part] = value;
      else if (!Object.hasOwn(current, part)) current[part] = {};
      current = current[part];
    } else {
      return false;
    }
  }
  return true;
}

/** @returns whether something was there */
export function deletePath(document: JsonObject, path: BodyPath): boolean {
  const name = path.at(-1) ?? '';
  const parent = path.length === 1 ? document : readPath(document, path.slice(0, -1));
  if (Array.isArray(parent)) {
    const index = indexOf(name, parent.length);
    if (index === undefined) return false;
    parent.splice(index, 1);
    return true;
  }
  if (!isObject(parent) || !Object.hasOwn(parent, name)) return false;
  delete parent[name];
  return true;
}

/** @param mayAppend  the place behind the last one counts, too */
function indexOf(part: string, length: number, mayAppend = false): number | undefined {
  if (!/^-?\d{1,6}$/.test(part)) return undefined;
  const number = Number(part);
  const index = number < 0 ? length + number : number;
  return index >= 0 && index < length + (mayAppend ? 1 : 0) ? index : undefined;
}
