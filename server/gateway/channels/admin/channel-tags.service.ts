import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Actor } from '../../../base/access/current-actor.js';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import { ChannelAudit } from './channel-audit.js';
import { checkChannelFields, type ChannelFields, checkTag } from '../state/channel-rules.js';
import { ChannelStore } from '../state/channel-store.js';
import { type ChannelChanges, ChannelsRepository } from '../state/channels.repository.js';
import type { ChannelTagEdit } from './dto/channel.dto.js';

/** Changes to all channels of a tag, or of one list of ids, in one transaction. */
@Injectable()
export class ChannelTagsService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly store: ChannelStore,
    private readonly audit: ChannelAudit,
  ) {}

  /** Sets or, with null, removes the tag. @returns how many channels were found. Fails: channels_to_tag_required, channel_tag_required. */
  async tagChannels(actor: Actor, ids: readonly number[], tag: string | null): Promise<number> {
    if (ids.length === 0) throw new DomainError('channels_to_tag_required');
    const wanted = checkTag(tag);
    // Forgotten, it would take the tags of all of them away.
    if (wanted === '' && tag !== null) throw new DomainError('channel_tag_required');
    const count = await this.changeAll({ ids }, { tag: wanted });
    await this.audit.note(actor, 'channel.tag', `Tagged channels ${ids.join(', ')} with "${wanted}"`, {
      channel_ids: ids,
      tag: wanted,
    });
    return count;
  }

  /**
   * Overwrites the members that are present and not empty on every channel of the tag; an empty `new_tag` dissolves it.
   * @returns how many channels were changed
   */
  async edit(actor: Actor, edit: ChannelTagEdit): Promise<number> {
    const changes = checkChannelFields(presentFields(edit));
    const count = await this.changeAll({ tag: checkTag(edit.tag) }, changes);
    await this.audit.note(
      actor,
      'channel.tag-edit',
      `Changed ${count} channels of tag "${edit.tag}": ${Object.keys(changes).join(', ')}`,
      { tag: edit.tag, count, members: Object.keys(changes) },
    );
    return count;
  }

  async setStatus(actor: Actor, tag: string, status: 1 | 2): Promise<number> {
    const changes = status === CHANNEL_STATUS.enabled ? { status, otherInfo: '' } : { status };
    const count = await this.changeAll({ tag: checkTag(tag) }, changes);
    const verb = status === CHANNEL_STATUS.enabled ? 'Enabled' : 'Disabled';
    await this.audit.note(actor, 'channel.tag-status', `${verb} ${count} channels of tag "${tag}"`, {
      tag,
      count,
      status,
    });
    return count;
  }

  /**
   * Enables or disables channels of a list; one whose key was removed stays off.
   * @param ids  1 to 500; ids without a channel change nothing
   * @returns the number of changed channels
   */
  async setStatusOf(actor: Actor, ids: readonly number[], status: 1 | 2): Promise<number> {
    const changes = status === CHANNEL_STATUS.enabled ? { status, otherInfo: '' } : { status };
    const count = await this.changeAll({ ids }, changes);
    const verb = status === CHANNEL_STATUS.enabled ? 'Enabled' : 'Disabled';
    await this.noteMany(actor, ids, { member: 'status', text: `${verb} channels ${ids.join(', ')}` });
    return count;
  }

  /** Sets the priority of channels of a list. @returns the number of changed channels. Fails: as one channel's priority does. */
  async setPriorityOf(actor: Actor, ids: readonly number[], priority: number): Promise<number> {
    const count = await this.changeAll({ ids }, checkChannelFields({ priority }));
    const text = `Set the priority of channels ${ids.join(', ')} to ${priority}`;
    await this.noteMany(actor, ids, { member: 'priority', text });
    return count;
  }

  private noteMany(
    actor: Actor,
    ids: readonly number[],
    { member, text }: { readonly member: string; readonly text: string },
  ): Promise<void> {
    return this.audit.note(actor, 'channel.update', text, { channel_ids: ids, members: [member] });
  }

  private async changeAll(
    which: { readonly ids: readonly number[] } | { readonly tag: string },
    changes: ChannelChanges,
  ): Promise<number> {
    if ('tag' in which && which.tag === '') throw new DomainError('channel_tag_required');
    return this.store.change(async (manager) => {
      const rows = await this.channels.lockMany(manager, which);
      if ('tag' in which && rows.length === 0)
        throw new DomainError('channel_tag_unknown', { tag: which.tag });
      let changed = 0;
      for (const row of rows) {
        // A channel whose key was removed stays off until it has one.
        const needsKey = changes.status === CHANNEL_STATUS.enabled;
        if (needsKey && (await this.store.readWithKey(manager, row.id))?.key === '') continue;
        await this.store.update(manager, row, changes);
        changed += 1;
      }
      return changed;
    });
  }
}

/** Null and empty texts mean "unchanged", except for an empty `new_tag`. */
function presentFields(edit: ChannelTagEdit): ChannelFields {
  const { new_tag: newTag, model_mapping: mapping, models, groups, priority, weight } = edit;
  return {
    ...(newTag === undefined || newTag === null ? {} : { tag: newTag }),
    ...(isEmpty(mapping) ? {} : { model_mapping: mapping }),
    ...(isEmpty(models) ? {} : { models }),
    ...(isEmpty(groups) ? {} : { group: groups }),
    ...(priority === undefined || priority === null ? {} : { priority }),
    ...(weight === undefined || weight === null ? {} : { weight }),
  };
}

const isEmpty = <T>(value: T | null | undefined | ''): value is null | undefined | '' =>
  value === undefined || value === null || value === '';
