import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { SecretBox } from '../../../infra/crypto/secret-box.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { bumpRevision } from '../../../infra/events/bump-revision.js';
import { Revisions } from '../../../infra/events/revisions.js';
import { AbilitiesRepository } from './abilities.repository.js';
import { openChannelKey, sealChannelKey } from './channel-key.js';
import type { ChannelColumns } from './channel-rules.js';
import { type ChannelChanges, type ChannelRow, ChannelsRepository } from './channels.repository.js';

/** A channel that is about to exist. */
export interface NewChannel extends ChannelColumns {
  readonly status: number;
  readonly createdTime: number;
  /** State of several keys; absent = the key is one. */
  readonly channelInfo?: string;
}

/** Changes channels and their derived rows in one transaction, then notifies every instance. */
@Injectable()
export class ChannelStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly channels: ChannelsRepository,
    private readonly abilities: AbilitiesRepository,
    private readonly secrets: SecretBox,
    private readonly revisions: Revisions,
  ) {}

  /** One transaction; every instance is notified after the commit, and calls of this one use the change at once. */
  async change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = await runInTransaction(this.dataSource, async (manager) => {
      await bumpRevision(manager, 'channels');
      return work(manager);
    });
    await this.revisions.publishChange('channels');
    return result;
  }

  /** One transaction over deleted channels alone: no call goes by them, so no instance reads anything anew. */
  changeDeleted<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return runInTransaction(this.dataSource, work);
  }

  /** @returns the new id */
  async insert(manager: EntityManager, channel: NewChannel, key: string): Promise<number> {
    const id = await this.channels.insert(manager, { ...UNUSED, ...channel, key: '' });
    // The ciphertext is bound to the row's id, which exists only now.
    await this.channels.update(manager, id, { key: sealChannelKey(this.secrets, id, key) });
    await this.abilities.rebuild(manager, [{ id, ...channel }]);
    return id;
  }

  /**
   * Writes columns of a locked channel and, when they matter to it, its abilities.
   * @param key  a new key in clear; undefined = the stored one stays
   */
  async update(
    manager: EntityManager,
    before: ChannelRow,
    changes: ChannelChanges,
    key?: string,
  ): Promise<ChannelRow> {
    const sealed =
      key === undefined ? {} : { key: key === '' ? '' : sealChannelKey(this.secrets, before.id, key) };
    await this.channels.update(manager, before.id, { ...changes, ...sealed });
    const after: ChannelRow = { ...before, ...changes };
    await this.abilities.rebuild(manager, [after]);
    return after;
  }

  /** @returns how many existed */
  async remove(
    manager: EntityManager,
    ids: readonly number[],
    by: { readonly actorId: number; readonly nowMs: number },
  ): Promise<number> {
    const removed = await this.channels.softDelete(manager, ids, by);
    await this.abilities.deleteOf(manager, ids);
    return removed;
  }

  /** Gives channels that left the bin their abilities back. */
  async offer(manager: EntityManager, channels: readonly ChannelRow[]): Promise<void> {
    await this.abilities.rebuild(manager, channels);
  }

  /** Makes all abilities what they should be. @returns the number of channels */
  async repair(): Promise<number> {
    return this.change(async (manager) => {
      const channels = await this.channels.all(manager);
      await this.abilities.rebuildAll(manager, channels);
      return channels.length;
    });
  }

  /** The channel with its key in clear, for a question to its provider. Null = no such channel. */
  async open(id: number): Promise<{ channel: ChannelRow; key: string } | null> {
    return this.readWithKey(this.dataSource.manager, id);
  }

  /** The channel with its key in clear, for a copy inside the server. Null = no such channel. */
  async readWithKey(
    manager: EntityManager,
    id: number,
  ): Promise<{ channel: ChannelRow; key: string } | null> {
    const stored = await this.channels.findWithKey(manager, id);
    if (stored === null) return null;
    const { key: sealed, ...channel } = stored;
    return { channel, key: sealed === '' ? '' : openChannelKey(this.secrets, id, sealed) };
  }
}

/** Counters and marks of an unused channel. */
const UNUSED = {
  testTime: 0,
  testFailure: '',
  responseTime: 0,
  balance: 0,
  balanceUpdatedTime: 0,
  usedQuota: 0,
  otherInfo: '',
  channelInfo: null,
  deletedAtMs: null,
  deletedBy: null,
  wipedAtMs: null,
};
