import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../../common/errors/domain-error.js';
import { fromZero, searchPage } from '../../../common/query.js';
import { Clock } from '../../../common/clock.js';
import type { Actor } from '../../../base/access/current-actor.js';
import { CHANNEL_LENGTHS, CHANNEL_STATUS } from '../state/channel.codes.js';
import { changedColumns } from './changed-columns.js';
import { ChannelAudit } from './channel-audit.js';
import { ChannelCheck } from './channel-check.js';
import { JSON_DOCUMENTS } from '../state/channel-documents.js';
import { checkKeyForm } from './channel-key-form.js';
import {
  type ChannelColumns,
  checkChannelFields,
  checkChannelStatus,
  checkKey,
  checkWholeChannel,
  isJsonKey,
  movesElsewhere,
  splitKeys,
} from '../state/channel-rules.js';
import { addressWithPreset } from '../state/channel-presets.js';
import { ChannelStore } from '../state/channel-store.js';
import { type ChannelChanges, type ChannelRow, ChannelsRepository } from '../state/channels.repository.js';
import type { ChannelEdit, ChannelInput, ChannelListQuery, ChannelSearchQuery } from './dto/channel.dto.js';
import {
  assertRingSize,
  joinKeys,
  keepMarks,
  type KeyMark,
  readRingInfo,
  splitStoredKeys,
  splitTypedKeys,
  writeRingInfo,
} from '../state/key-ring.js';
import { columnsOf, EMPTY, findCopied } from './new-channel.js';
import { numberedName } from './numbered-name.js';
import { presentChannel, restoreProxyPassword } from './present-channel.js';

const COPY_SUFFIX = '_copy';

const nameOfCopy = (name: string): string =>
  `${Array.from(name)
    .slice(0, CHANNEL_LENGTHS.name - COPY_SUFFIX.length)
    .join('')}${COPY_SUFFIX}`;

export interface ChannelList {
  readonly rows: readonly ChannelRow[];
  /** Number of matches: channels, or tags in tag mode. */
  readonly total: number;
}

/** Most channels a search answers; more must be narrowed or read page by page. */
const SEARCH_LIMIT = 1_000;

/** Administration of channels. Keys can be written and never read. */
@Injectable()
export class ChannelsService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly store: ChannelStore,
    private readonly check: ChannelCheck,
    private readonly audit: ChannelAudit,
    private readonly clock: Clock,
  ) {}

  /** A page of channels, or in tag mode all channels of a page of tags. */
  async list(query: ChannelListQuery): Promise<ChannelList> {
    const order = { byId: query.id_sort };
    const offset = fromZero(query) * query.page_size;
    if (!query.tag_mode) return this.channels.page(order, offset, query.page_size);
    const { tags, total } = await this.channels.tags(offset, query.page_size);
    return { rows: await this.channels.ofTags(tags, order), total };
  }

  /** A page of what matches, or in tag mode all channels of a page of the tags that match. */
  async search(query: ChannelSearchQuery): Promise<ChannelList> {
    const page = searchPage(query, SEARCH_LIMIT);
    const group = query.group === 'null' ? '' : query.group;
    const search = { keyword: query.keyword, model: query.model, group, byId: query.id_sort };
    if (!query.tag_mode) return this.channels.search(search, page);
    const found = await this.channels.search(search, { offset: 0, limit: SEARCH_LIMIT });
    const tags = [...new Set(found.rows.map((row) => row.tag))].filter((tag) => tag !== '');
    const shown = tags.slice(page.offset, page.offset + page.limit);
    return { rows: await this.channels.ofTags(shown, { byId: query.id_sort }), total: tags.length };
  }

  /** Fails: not_found. */
  async get(id: number): Promise<ChannelRow> {
    const channel = await this.channels.find(id);
    if (channel === null) throw new DomainError('not_found');
    return channel;
  }

  /** One channel per key, all or none. @returns the new ids */
  async create(actor: Actor, input: ChannelInput): Promise<number[]> {
    const columns = { ...EMPTY, ...(await this.check.fields(input)) };
    const status = checkChannelStatus(input.status ?? CHANNEL_STATUS.enabled, CHANNEL_STATUS.enabled);
    columns.baseUrl = addressWithPreset(columns);
    columns.other = checkWholeChannel(columns).other;
    const typed = (input.key ?? '').trim();
    const isRing = input.mode === 'multi_to_single';
    const copied =
      typed === '' ? (input.copy_from ?? findCopied(await this.channels.all(), columns)) : undefined;
    const keys = copied === undefined ? keysOf(typed, input.mode, columns.type) : null;
    const ring = isRing ? { channelInfo: newRing(keys ?? [], input.multi_key_mode) } : {};
    const createdTime = Math.floor(this.clock.nowMs() / 1000);
    const ids = await this.store.change(async (manager) => {
      const used =
        isRing && keys !== null
          ? [joinKeys(keys)]
          : (keys ?? [await this.keyToCopy(manager, copied ?? 0, columns)]);
      const created: number[] = [];
      for (const [index, key] of used.entries()) {
        const name = numberedName(columns.name, index);
        created.push(
          await this.store.insert(manager, { ...columns, name, ...ring, status, createdTime }, key),
        );
      }
      return created;
    });
    await this.audit.note(actor, 'channel.create', `Created channel ${columns.name} (${ids.join(', ')})`, {
      channel_ids: ids,
    });
    return ids;
  }

  /** A second channel with the same key, which never leaves the server. Counters start at 0. Fails: not_found. */
  async copy(actor: Actor, id: number, name: string | undefined): Promise<number> {
    const createdTime = Math.floor(this.clock.nowMs() / 1000);
    const newId = await this.store.change(async (manager) => {
      const source = await this.store.readWithKey(manager, id);
      if (source === null) throw new DomainError('not_found');
      const wanted = name ?? nameOfCopy(source.channel.name);
      const { type } = source.channel;
      const columns = { ...columnsOf(source.channel), ...checkChannelFields({ name: wanted, type }) };
      return this.store.insert(
        manager,
        {
          ...columns,
          status: source.key === '' ? CHANNEL_STATUS.disabledByHand : CHANNEL_STATUS.enabled,
          createdTime,
          ...(source.channel.channelInfo === null ? {} : { channelInfo: source.channel.channelInfo }),
        },
        source.key,
      );
    });
    await this.audit.note(actor, 'channel.copy', `Copied channel ${id} to ${newId}`, {
      channel_id: id,
      copy_id: newId,
    });
    return newId;
  }

  /**
   * Changes the members that are present. When the key would travel elsewhere afterwards it must be in the same request.
   * Fails: not_found, channel_key_retype, and by the rules of the fields.
   */
  async update(actor: Actor, edit: ChannelEdit): Promise<ChannelRow> {
    const stored = await this.channels.find(edit.id);
    if (stored === null) throw new DomainError('not_found');
    const changes = await this.check.fields(withoutUnchanged(edit, stored), stored);
    const key = (edit.key ?? '').trim();
    const { after, changed } = await this.store.change(async (manager) => {
      const before = await this.channels.lock(manager, edit.id);
      if (before === null) throw new DomainError('not_found');
      if (changes.setting !== undefined)
        changes.setting = restoreProxyPassword(changes.setting, before.setting);
      const wanted = { ...changes, ...this.statusChange(edit.status, before) };
      const keys =
        edit.key === null
          ? withoutKey(before, wanted.status)
          : await this.keyChange(manager, before, edit, key);
      if (wanted.status === CHANNEL_STATUS.enabled && keys.key === undefined)
        await this.assertHasKey(manager, edit.id);
      // Overwritten by the edit: the audit log needs the old values.
      const old = { ...before };
      const written = await this.write(manager, before, { ...wanted, ...keys.changes }, keys);
      return { after: written, changed: changedColumns(old, written, { isKeyNew: keys.key !== undefined }) };
    });
    const members = Object.keys(edit)
      .filter((member) => member !== 'id' && (member !== 'key' || key !== '' || edit.key === null))
      .map((member) => (member === 'key' && edit.key === null ? 'key (removed)' : member));
    await this.audit.note(
      actor,
      'channel.update',
      `Changed channel ${edit.id} (${after.name}): ${members.join(', ')}`,
      {
        channel_id: edit.id,
        members,
      },
      changed,
    );
    return after;
  }

  /** Ignores unknown ids. */
  async remove(actor: Actor, ids: readonly number[]): Promise<number> {
    const nowMs = this.clock.nowMs();
    const removed = await this.store.change((manager) =>
      this.store.remove(manager, ids, { actorId: actor.id, nowMs }),
    );
    if (removed > 0) {
      await this.audit.note(actor, 'channel.delete', `Deleted channels ${ids.join(', ')}`, {
        channel_ids: ids,
      });
    }
    return removed;
  }

  /** Deletes every disabled channel, by hand or automatically. @returns their ids */
  async removeDisabled(actor: Actor): Promise<readonly number[]> {
    const statuses = [CHANNEL_STATUS.disabledByHand, CHANNEL_STATUS.disabledAutomatically];
    const nowMs = this.clock.nowMs();
    const ids = await this.store.change(async (manager) => {
      const rows = await this.channels.lockByStatus(manager, statuses);
      const found = rows.map((row) => row.id);
      await this.store.remove(manager, found, { actorId: actor.id, nowMs });
      return found;
    });
    if (ids.length > 0) {
      await this.audit.note(actor, 'channel.delete', `Deleted disabled channels ${ids.join(', ')}`, {
        channel_ids: ids,
      });
    }
    return ids;
  }

  async repair(actor: Actor): Promise<number> {
    const count = await this.store.repair();
    await this.audit.note(actor, 'channel.repair', `Rebuilt the abilities of ${count} channels`, {
      count,
    });
    return count;
  }

  /** A channel whose key was removed stays off until it has one. Fails: channel_name_and_key_required. */
  private async assertHasKey(manager: EntityManager, id: number): Promise<void> {
    const stored = await this.store.readWithKey(manager, id);
    if (stored?.key === '') throw new DomainError('channel_name_and_key_required');
  }

  private async write(
    manager: EntityManager,
    before: ChannelRow,
    changes: ChannelChanges,
    keys: KeyChange,
  ): Promise<ChannelRow> {
    if (touchesPreset(changes)) {
      const baseUrl = addressWithPreset({ ...before, ...changes });
      if (baseUrl !== (changes.baseUrl ?? before.baseUrl)) changes = { ...changes, baseUrl };
    }
    const after = { ...before, ...changes };
    if (touchesType(changes)) {
      const { other } = checkWholeChannel(after);
      if (other !== after.other) changes = { ...changes, other };
    }
    // Keys that stay would travel along with the new ones.
    if (!keys.replacesAll && movesElsewhere(before, after)) throw new DomainError('channel_key_retype');
    return this.store.update(manager, before, changes, keys.key);
  }

  /** Changes the key, or the keys, of an edited channel. */
  private async keyChange(
    manager: EntityManager,
    before: ChannelRow,
    edit: ChannelEdit,
    typed: string,
  ): Promise<KeyChange> {
    const ring = readRingInfo(before.channelInfo);
    const mode = edit.multi_key_mode;
    const type = edit.type ?? before.type;
    if (ring === null && mode === undefined) {
      if (typed === '') return { changes: {}, key: undefined, replacesAll: false };
      const key = checkKey(typed, isJsonKey(typed, type), type);
      checkKeyForm(key, type);
      return { changes: {}, key, replacesAll: true };
    }
    const marks = ring?.marks ?? new Map<number, KeyMark>();
    const nextMode = mode ?? ring?.mode ?? 'random';
    const stored = splitStoredKeys((await this.store.readWithKey(manager, before.id))?.key ?? '');
    const added = typed === '' ? [] : splitTypedKeys(typed, (key, isJson) => checkKey(key, isJson, type));
    for (const key of added) checkKeyForm(key, type);
    const replacesAll = added.length > 0 && edit.key_mode !== 'append';
    const keys = replacesAll ? added : [...new Set([...stored, ...added])];
    if (added.length > 0) assertRingSize(keys);
    const info = { mode: nextMode, size: keys.length, marks: keepMarks(stored, keys, marks) };
    const isSame = keys.length === stored.length && keys.every((key, index) => key === stored[index]);
    return {
      changes: { channelInfo: writeRingInfo(info) },
      key: isSame ? undefined : joinKeys(keys),
      replacesAll,
    };
  }

  /** Enabling by hand also clears the reason of an automatic disabling. */
  private statusChange(wanted: number | undefined, before: ChannelRow): ChannelChanges {
    if (wanted === undefined) return {};
    const status = checkChannelStatus(wanted, before.status);
    if (status === before.status) return {};
    return status === CHANNEL_STATUS.enabled ? { status, otherInfo: '' } : { status };
  }

  private async keyToCopy(
    manager: EntityManager,
    sourceId: number,
    columns: ChannelColumns,
  ): Promise<string> {
    const source = await this.store.readWithKey(manager, sourceId);
    if (source === null) throw new DomainError('not_found');
    columns.setting = restoreProxyPassword(columns.setting, source.channel.setting);
    if (movesElsewhere(source.channel, columns)) throw new DomainError('channel_key_retype');
    if (source.key === '') throw new DomainError('channel_name_and_key_required');
    return source.key;
  }
}

interface KeyChange {
  readonly changes: ChannelChanges;
  /** Text to store; undefined = the stored one stays. */
  readonly key: string | undefined;
  readonly replacesAll: boolean;
}

/** Keys of a creation: one channel each, or all of them in one. */
function keysOf(typed: string, mode: ChannelInput['mode'], type: number): string[] {
  const keys =
    mode === 'multi_to_single'
      ? splitTypedKeys(typed, (key, isJson) => checkKey(key, isJson, type))
      : splitKeys(typed, mode, type);
  if (keys.length === 0) throw new DomainError('channel_name_and_key_required');
  for (const key of keys) checkKeyForm(key, type);
  return keys;
}

const newRing = (keys: readonly string[], mode: ChannelInput['multi_key_mode']): string =>
  writeRingInfo({ mode: mode ?? 'random', size: keys.length, marks: new Map() });

/** Nothing can be called without a key, so the channel is switched off with it. */
const withoutKey = (before: ChannelRow, wanted: number | undefined): KeyChange => ({
  changes: {
    channelInfo: null,
    ...((wanted ?? before.status) === CHANNEL_STATUS.enabled
      ? { status: CHANNEL_STATUS.disabledByHand }
      : {}),
  },
  key: '',
  replacesAll: true,
});

/** Documents that come back as they were shown stay as they are: rules that are newer than they are hold for what is new. */
function withoutUnchanged(edit: ChannelEdit, stored: ChannelRow): ChannelEdit {
  const shown = presentChannel(stored, 'en');
  const changed = { ...edit };
  for (const name of JSON_DOCUMENTS) {
    const sent = edit[name];
    if (typeof sent === 'string' && sent.trim() === shown[name].trim()) delete changed[name];
  }
  return changed;
}

const touchesPreset = ({ type, baseUrl, settings }: ChannelChanges): boolean =>
  type !== undefined || baseUrl !== undefined || settings !== undefined;

const touchesType = (changes: ChannelChanges): boolean =>
  changes.type !== undefined || changes.baseUrl !== undefined || changes.other !== undefined;
