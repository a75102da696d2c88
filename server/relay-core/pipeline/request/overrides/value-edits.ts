import { isObject } from './body-path.js';
import type { OverrideOperation } from './override-rules.js';

/** Longer texts are left alone by regular expressions: their cost grows faster than the text. */
const MAX_PATTERN_TEXT = 4_096;
const MAX_DEPTH = 32;

/** One of the operations on texts that a channel's override may name: cut, prefix, suffix, replace and the like. */
export function editText(text: string, operation: OverrideOperation): string {
  const word = typeof operation.value === 'string' ? operation.value : '';
  switch (operation.mode) {
    case 'trim_prefix':
      return word !== '' && text.startsWith(word) ? text.slice(word.length) : text;
    case 'trim_suffix':
      return word !== '' && text.endsWith(word) ? text.slice(0, -word.length) : text;
    case 'ensure_prefix':
      return text.startsWith(word) ? text : word + text;
    case 'ensure_suffix':
      return text.endsWith(word) ? text : text + word;
    case 'trim_space':
      return text.trim();
    case 'to_lower':
      return text.toLowerCase();
    case 'to_upper':
      return text.toUpperCase();
    case 'replace':
      return text.replaceAll(operation.from, () => operation.to);
    case 'regex_replace':
      return text.length > MAX_PATTERN_TEXT ? text : text.replace(RegExp(operation.from, 'gu'), operation.to);
    default:
      return text;
  }
}

/**
 * Adds to a text, a list or an object. Nothing there = the value itself. An object's own members win at the front, the
 * added ones at the end; with `keepOrigin` the object's own always win.
 * @returns undefined when the two do not fit together
 */
export function extend(
  value: unknown,
  added: unknown,
  { atEnd, keepOrigin }: { readonly atEnd: boolean; readonly keepOrigin: boolean },
): unknown {
  if (value === undefined) return structuredClone(added);
  if (typeof value === 'string' && typeof added === 'string') return atEnd ? value + added : added + value;
  if (Array.isArray(value)) {
    const more: unknown[] = Array.isArray(added) ? structuredClone(added) : [structuredClone(added)];
    const own: unknown[] = value;
    return atEnd ? [...own, ...more] : [...more, ...own];
  }
  if (isObject(value) && isObject(added)) {
    const more = structuredClone(added);
    return atEnd && !keepOrigin ? { ...value, ...more } : { ...more, ...value };
  }
  return undefined;
}

/**
 * Removes members of lists that match, at every depth.
 * @param filter  a text = the member's `type`; an object = every named member equal
 */
export function prune(value: unknown, filter: unknown, depth = 0): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index -= 1) {
      if (matches(value[index], filter)) value.splice(index, 1);
      else prune(value[index], filter, depth + 1);
    }
  } else if (isObject(value)) {
    for (const member of Object.values(value)) prune(member, filter, depth + 1);
  }
}

function matches(value: unknown, filter: unknown): boolean {
  if (!isObject(value)) return false;
  if (typeof filter === 'string') return value['type'] === filter;
  if (!isObject(filter)) return false;
  const wanted = isObject(filter['where']) ? filter['where'] : filter;
  const words = Object.entries(wanted);
  // Without a word everything would match.
  return words.length > 0 && words.every(([name, member]) => value[name] === member);
}
