import { pick } from '../../../common/pick.js';
import { CHANNEL_TYPE } from '../state/channel.codes.js';
import type { ChannelColumns } from '../state/channel-rules.js';
import type { ChannelRow } from '../state/channels.repository.js';
import { maskProxyPassword } from './present-channel.js';

/** What a new channel has unless the request says otherwise. */
export const EMPTY: ChannelColumns = {
  type: CHANNEL_TYPE.openai,
  name: '',
  openAiOrganization: '',
  testModel: '',
  weight: 0,
  priority: 0,
  baseUrl: '',
  other: '',
  models: '',
  group: 'default',
  modelMapping: '',
  statusCodeMapping: '',
  autoBan: 1,
  tag: '',
  setting: '',
  paramOverride: '',
  headerOverride: null,
  settings: null,
  remark: '',
  maxInputTokens: 0,
};

const COLUMNS = Object.keys(EMPTY) as (keyof ChannelColumns)[];

/** The columns of a channel that a copy of it has as well. */
export const columnsOf = (row: ChannelRow): ChannelColumns => pick(row, COLUMNS);

/**
 * Older consoles copy a channel by sending what they were shown without its id, under a longer name, and know no key. The channel that
 * is meant is the one that has all the rest alike.
 * @returns its id; undefined = none is meant, or nobody can tell which
 */
export function findCopied(rows: readonly ChannelRow[], wanted: ChannelColumns): number | undefined {
  const { name, ...rest } = wanted;
  const alike = rows.filter((row) => {
    const shown = { ...columnsOf(row), setting: maskProxyPassword(row.setting) };
    const hasOneKey = row.channelInfo === null || row.channelInfo === '';
    return (
      hasOneKey &&
      name.length > row.name.length &&
      name.startsWith(row.name) &&
      Object.entries(rest).every(
        ([column, value]) => (shown[column as keyof ChannelColumns] ?? '') === (value ?? ''),
      )
    );
  });
  const longest = Math.max(0, ...alike.map((row) => row.name.length));
  const [found, ...others] = alike.filter((row) => row.name.length === longest);
  return others.length === 0 ? found?.id : undefined;
}
