/** Values allowed in the detail of an audit row. */
export type AuditValue =
  | null
  | boolean
  | number
  | string
  | undefined
  | readonly AuditValue[]
  | { readonly [key: string]: AuditValue };

/** One text per value, whatever order its keys were made in. Members that are `undefined` are left out. */
export function canonicalJson(value: AuditValue): string {
  if (Array.isArray(value))
    return `[${value.map((item: AuditValue) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return JSON.stringify(String(value));
  return JSON.stringify(value ?? null);
}
