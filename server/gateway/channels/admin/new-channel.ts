import { pick } from '../../../common/pick.js';
import { DEFAULT_CHANNEL_TYPE } from '../state/channel.codes.js';
import type { ChannelColumns } from '../state/channel-rules.js';
import type { ChannelRow } from '../state/channels.repository.js';
import { maskProxyPassword } from './present-channel.js';

/** Default values of a new channel. */
export const EMPTY: ChannelColumns = {
  type: DEFAULT_CHANNEL_TYPE,
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
 * Older consoles copy a channel by sending the columns they were shown without its id, under a longer name, and have no key. The
 * source is the channel that has all other columns alike.
 * @returns its id; undefined = no source, or several candidates
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
