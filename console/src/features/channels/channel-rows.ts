import { splitList } from '../../shared/format/lists';
import type { Channel } from './api';

/** A line of the table: one channel, or a tag that stands for several. */
export type ChannelRow =
  | { readonly kind: 'channel'; readonly id: string; readonly channel: Channel; readonly underTag: boolean }
  | {
      readonly kind: 'tag';
      readonly id: string;
      readonly tag: string;
      readonly channels: readonly Channel[];
      readonly open: boolean;
    };

/** Channels as rows; in tag mode below the tag they belong to, when it is open. */
export function channelRows(
  channels: readonly Channel[],
  tagMode: boolean,
  openTags: ReadonlySet<string>,
): ChannelRow[] {
  const plain = (channel: Channel, underTag: boolean): ChannelRow => ({
    kind: 'channel',
    id: String(channel.id),
    channel,
    underTag,
  });
  if (!tagMode) return channels.map((channel) => plain(channel, false));
  const byTag = Map.groupBy(channels, (channel) => channel.tag);
  return [...byTag].flatMap(([tag, members]): ChannelRow[] => {
    if (tag === '') return members.map((channel) => plain(channel, false));
    const open = openTags.has(tag);
    return [
      { kind: 'tag', id: `tag-${tag}`, tag, channels: members, open },
      ...(open ? members.map((channel) => plain(channel, true)) : []),
    ];
  });
}

/** A figure all channels of a tag share; undefined when they differ. */
export function sharedFigure(
  channels: readonly Channel[],
  read: (channel: Channel) => number,
): number | undefined {
  const figures = new Set(channels.map(read));
  return figures.size === 1 ? [...figures][0] : undefined;
}

export function modelsOf(row: ChannelRow): string[] {
  const channels = row.kind === 'tag' ? row.channels : [row.channel];
  return splitList(channels.map((channel) => channel.models).join(','));
}
