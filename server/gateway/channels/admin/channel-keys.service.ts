import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Clock } from '../../../common/clock.js';
import type { Actor } from '../../../base/access/current-actor.js';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import { ChannelAudit } from './channel-audit.js';
import { ChannelStore } from '../state/channel-store.js';
import { ChannelsRepository } from '../state/channels.repository.js';
import {
  joinKeys,
  keepMarks,
  keyHint,
  type KeyMark,
  type KeyRingInfo,
  readRingInfo,
  splitStoredKeys,
  writeRingInfo,
} from '../state/key-ring.js';

/** One key of a channel as administrators see it. */
export interface ListedKey {
  readonly index: number;
  /** 1 enabled, 2 disabled by hand, 3 disabled automatically. */
  readonly status: number;
  readonly reason: string;
  /** Seconds; 0 = it is on. */
  readonly time: number;
  /** Last characters, to distinguish keys. */
  readonly hint: string;
}

export type KeyAction =
  | { readonly action: 'enable_key' | 'disable_key' | 'delete_key'; readonly index: number }
  | { readonly action: 'enable_all_keys' | 'disable_all_keys' | 'delete_disabled_keys' };

interface LinkedList {
  readonly info: KeyRingInfo;
  readonly keys: readonly string[];
}

/** Administration of the single keys of a channel that has several. */
@Injectable()
export class ChannelKeysService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly store: ChannelStore,
    private readonly audit: ChannelAudit,
    private readonly clock: Clock,
  ) {}

  /** Fails: not_found, channel_not_multi_key. */
  async list(channelId: number): Promise<ListedKey[]> {
    const stored = await this.store.open(channelId);
    if (stored === null) throw new DomainError('not_found');
    const { info, keys } = ringOf(stored.channel.channelInfo, stored.key);
    return keys.map((key, index) => {
      const mark = info.marks.get(index);
      return {
        index,
        status: mark?.status ?? CHANNEL_STATUS.enabled,
        reason: mark?.reason ?? '',
        time: mark?.time ?? 0,
        hint: keyHint(key),
      };
    });
  }

  /** Fails: not_found, channel_not_multi_key, channel_key_index_unknown, channel_last_key. @returns how many keys changed */
  async act(actor: Actor, channelId: number, wanted: KeyAction): Promise<number> {
    const changed = await this.store.change(async (manager) => {
      const channel = await this.channels.lock(manager, channelId);
      const stored = channel === null ? null : await this.store.readWithKey(manager, channelId);
      if (channel === null || stored === null) throw new DomainError('not_found');
      const ring = ringOf(channel.channelInfo, stored.key);
      const after = this.apply(ring, wanted);
      const count = Math.max(differences(ring, after), ring.keys.length - after.keys.length);
      if (count === 0) return 0;
      const isNew = after.keys.length !== ring.keys.length;
      const info = { ...after.info, size: after.keys.length };
      // A channel that had lost its last key comes back with the first one that is switched on.
      const returns =
        channel.status === CHANNEL_STATUS.disabledAutomatically &&
        info.marks.size < ring.info.marks.size &&
        !isNew;
      await this.store.update(
        manager,
        channel,
        {
          channelInfo: writeRingInfo(info),
          ...(returns ? { status: CHANNEL_STATUS.enabled, otherInfo: '' } : {}),
        },
        isNew ? joinKeys(after.keys) : undefined,
      );
      return count;
    });
    if (changed > 0) {
      const which = 'index' in wanted ? ` ${wanted.index}` : '';
      await this.audit.note(actor, 'channel.keys', `Channel ${channelId}: ${wanted.action}${which}`, {
        channel_id: channelId,
        action: wanted.action,
        changed,
      });
    }
    return changed;
  }

  private apply(ring: LinkedList, wanted: KeyAction): LinkedList {
    const { info, keys } = ring;
    const marks = new Map(info.marks);
    switch (wanted.action) {
      case 'enable_key':
        requireKey(keys, wanted.index);
        marks.delete(wanted.index);
        return { keys, info: { ...info, marks } };
      case 'disable_key':
        requireKey(keys, wanted.index);
        marks.set(wanted.index, this.mark());
        return { keys, info: { ...info, marks } };
      case 'enable_all_keys':
        return { keys, info: { ...info, marks: new Map() } };
      case 'disable_all_keys':
        return {
          keys,
          info: {
            ...info,
            marks: new Map(keys.map((_key, index) => [index, marks.get(index) ?? this.mark()])),
          },
        };
      case 'delete_key':
        requireKey(keys, wanted.index);
        return without(ring, (index) => index === wanted.index);
      case 'delete_disabled_keys':
        return without(ring, (index) => marks.get(index)?.status === CHANNEL_STATUS.disabledAutomatically);
    }
  }

  private mark(): KeyMark {
    return {
      status: CHANNEL_STATUS.disabledByHand,
      reason: '',
      time: Math.floor(this.clock.nowMs() / 1000),
    };
  }
}

function ringOf(channelInfo: string | null, key: string): LinkedList {
  const info = readRingInfo(channelInfo);
  if (info === null) throw new DomainError('channel_not_multi_key');
  return { info, keys: splitStoredKeys(key) };
}

function requireKey(keys: readonly string[], index: number): void {
  if (keys[index] === undefined) throw new DomainError('channel_key_index_unknown', { index });
}

function without({ info, keys }: LinkedList, isGone: (index: number) => boolean): LinkedList {
  const left = keys.filter((_key, index) => !isGone(index));
  if (left.length === 0) throw new DomainError('channel_last_key');
  return { keys: left, info: { ...info, marks: keepMarks(keys, left, info.marks) } };
}

/** Keys whose status differs. */
function differences(before: LinkedList, after: LinkedList): number {
  if (before.keys.length !== after.keys.length) return 0;
  return before.keys.filter(
    (_key, index) => before.info.marks.get(index)?.status !== after.info.marks.get(index)?.status,
  ).length;
}
