/** Columns of a channel whose text may stand in the audit log. Others may hold keys: they are named only. */
const SHOWN = [
  'name',
  'type',
  'status',
  'baseUrl',
  'group',
  'models',
  'modelMapping',
  'priority',
  'weight',
  'tag',
  'testModel',
  'autoBan',
  'maxInputTokens',
] as const;
const NAMED = ['other', 'setting', 'settings', 'headerOverride', 'paramOverride', 'channelInfo'] as const;

type Shown = string | number | boolean | null;

/** Old and new of what changed, by column. */
export interface ChangedColumns {
  readonly [column: string]: { readonly before: Shown; readonly now: Shown } | 'changed';
}

/** What an edit changed: where the key goes is always told with its old and new text. */
export function changedColumns(
  before: object,
  after: object,
  { isKeyNew }: { readonly isKeyNew: boolean },
): ChangedColumns {
  const old = new Map<string, unknown>(Object.entries(before));
  const now = new Map<string, unknown>(Object.entries(after));
  const shown = SHOWN.filter((column) => old.get(column) !== now.get(column)).map(
    (column) => [column, { before: asShown(old.get(column)), now: asShown(now.get(column)) }] as const,
  );
  const named = NAMED.filter((column) => old.get(column) !== now.get(column)).map(
    (column) => [column, 'changed'] as const,
  );
  return Object.fromEntries([...shown, ...named, ...(isKeyNew ? [['key', 'changed'] as const] : [])]);
}

function asShown(value: unknown): Shown {
  if (typeof value === 'string') return value.replace(/\/\/[^/@\s]*@/, '//…@');
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
