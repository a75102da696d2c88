import { storableText } from '../text.js';

/** Takes the place of a NUL in addresses: no stored name holds it, so that a filter matches nothing rather than everything. */
const REPLACEMENT = '\ufffd';

/**
 * An input whose texts every database takes (`storableText`). Bodies lose a NUL, as names do; in queries and paths it becomes U+FFFD.
 * @param value  plain data of a bounded depth; what needs no change is returned as it is
 */
export function storableInput(value: unknown, place: 'body' | 'query' | 'param'): unknown {
  const nul = place === 'body' ? '' : REPLACEMENT;
  const clean = (each: unknown): unknown => {
    if (typeof each === 'string') return storableText(each, nul);
    if (Array.isArray(each)) {
      const list = each.map(clean);
      return list.every((item, index) => item === each[index]) ? each : list;
    }
    if (!isPlain(each)) return each;
    const members = Object.entries(each);
    const cleaned = members.map(([name, member]) => [storableText(name, nul), clean(member)] as const);
    const isSame = cleaned.every(([name, member], index) => {
      const [oldName, old] = members[index] ?? [];
      return name === oldName && member === old;
    });
    return isSame ? each : Object.fromEntries(cleaned);
  };
  return clean(value);
}

/** Queries of Fastify have no prototype. Buffers and other objects stay as they are. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}
