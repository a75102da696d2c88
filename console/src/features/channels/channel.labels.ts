import type { Tone } from '../../shared/feedback/status-tag';
import { parseJson } from '../../shared/format/json';
import type { Channel } from './api';

export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const;

export type ChannelStatusWord = 'enabled' | 'disabled' | 'auto' | 'unknown';

const STATUS: Readonly<Record<number, { word: ChannelStatusWord; tone: Tone }>> = {
  1: { word: 'enabled', tone: 'ok' },
  2: { word: 'disabled', tone: 'neutral' },
  3: { word: 'auto', tone: 'warning' },
};

export function channelStatus(status: number): { word: ChannelStatusWord; tone: Tone } {
  return STATUS[status] ?? { word: 'unknown', tone: 'neutral' };
}

/** Why and when a channel was switched off, from its `other_info`. */
export function statusReason(
  channel: Pick<Channel, 'other_info'>,
): { reason: string; seconds: number } | undefined {
  const info = parseJson(channel.other_info);
  if (typeof info !== 'object' || info === null) return undefined;
  const { status_reason: reason, status_time: seconds } = info as Record<string, unknown>;
  if (typeof reason !== 'string' || reason === '') return undefined;
  return { reason, seconds: typeof seconds === 'number' ? seconds : 0 };
}
