import { planFor } from '../probing/channel-probe.service.js';
import { costsMoney } from '../probing/probe-model.js';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import type { ChannelRow } from '../state/channels.repository.js';
import { readRingInfo } from '../state/key-ring.js';

/** True when its test draws no image. */
export function isCheap(row: Pick<ChannelRow, 'type' | 'testModel' | 'models'>): boolean {
  const { model, endpoint } = planFor(row);
  return !costsMoney(model, endpoint);
}

/** Off itself, or with keys that are. */
export function isAutoDisabled(row: Pick<ChannelRow, 'status' | 'channelInfo'>): boolean {
  if (row.status === CHANNEL_STATUS.disabledAutomatically) return true;
  const marks = readRingInfo(row.channelInfo)?.marks.values() ?? [];
  return [...marks].some((mark) => mark.status === CHANNEL_STATUS.disabledAutomatically);
}
