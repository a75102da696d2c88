import type { ChannelColumns } from '../state/channel-rules.js';
import type { ChannelRow } from '../state/channels.repository.js';

/** Columns in the audit log of an edit: with old and new text, or the name alone where the text may hold a key or free notes. */
const AUDITED = {
  name: 'shown',
  type: 'shown',
  status: 'shown',
  baseUrl: 'shown',
  group: 'shown',
  models: 'shown',
  modelMapping: 'shown',
  statusCodeMapping: 'shown',
  priority: 'shown',
  weight: 'shown',
  tag: 'shown',
  testModel: 'shown',
  autoBan: 'shown',
  maxInputTokens: 'shown',
  openAiOrganization: 'shown',
  other: 'named',
  setting: 'named',
  settings: 'named',
  headerOverride: 'named',
  paramOverride: 'named',
  remark: 'named',
  channelInfo: 'named',
} as const satisfies Readonly<Record<keyof ChannelColumns | 'status' | 'channelInfo', 'shown' | 'named'>>;
type AuditedColumn = keyof typeof AUDITED;
const COLUMNS = Object.keys(AUDITED) as AuditedColumn[];
/** Columns of an edited channel that the audit log may name. */
export const CHANNEL_MEMBERS: readonly string[] = [...COLUMNS, 'key'];

type Shown = string | number | null;

/** Old and new of what changed, by column. */
export interface ChangedColumns {
  readonly [column: string]: { readonly before: Shown; readonly now: Shown } | 'changed';
}

/** Columns an edit changed: destinations of the key always with their old and new text. */
export function changedColumns(
  before: Pick<ChannelRow, AuditedColumn>,
  after: Pick<ChannelRow, AuditedColumn>,
  { isKeyNew }: { readonly isKeyNew: boolean },
): ChangedColumns {
  const changes = COLUMNS.filter((column) => before[column] !== after[column]).map(
    (column) =>
      [
        column,
        AUDITED[column] === 'named'
          ? 'changed'
          : { before: asShown(before[column]), now: asShown(after[column]) },
      ] as const,
  );
  return Object.fromEntries([...changes, ...(isKeyNew ? [['key', 'changed'] as const] : [])]);
}

const asShown = (value: Shown): Shown =>
  typeof value === 'string' ? value.replace(/\/\/[^/@\s]*@/, '//…@') : value;
