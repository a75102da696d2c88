import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { AbilityEntity } from './ability.entity.js';
import { openChannelKey } from './channel-key.js';
import { CHANNEL_STATUS } from './channel.codes.js';
import { ChannelEntity } from './channel.entity.js';
import { ChannelRest } from './channel-rest.js';
import {
  buildSnapshot,
  type ChannelRow,
  type ChannelSnapshot,
  type EnabledAbility,
  routeOf,
  ringOf,
} from './channel-snapshot.js';

/** How often the tables are looked at in case a signal of another instance was lost. */
const POLL_MS = 5_000;
/** The cheap look cannot see every edit; this often everything is read again. */
const FULL_READ_EVERY = 12;

const COLUMNS = [
  'id',
  'type',
  'name',
  'status',
  'baseUrl',
  'key',
  'openAiOrganization',
  'other',
  'modelMapping',
  'statusCodeMapping',
  'paramOverride',
  'setting',
  'headerOverride',
  'settings',
  'channelInfo',
  'autoBan',
] as const;

/** Keeps the channel snapshot in step with the database: at once on a signal, else within seconds. */
@Injectable()
export class ChannelSnapshotStore implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ChannelSnapshotStore.name);
  private snapshot: ChannelSnapshot = buildSnapshot([], []);
  private fingerprint = '';
  private pollCount = 0;
  private loading: Promise<void> | undefined;
  private isStale = false;
  private stopListening: () => void = () => undefined;
  private stopPolling: () => void = () => undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly secretBox: SecretBox,
    private readonly changes: ChangeFeed,
    private readonly clock: Clock,
    private readonly rest: ChannelRest,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.stopListening = this.changes.on('channels', () => this.reloadInBackground());
    await this.reload();
    this.schedulePoll();
  }

  onApplicationShutdown(): void {
    this.stopListening();
    this.stopPolling();
  }

  current(): ChannelSnapshot {
    return this.snapshot;
  }

  /** Reads the tables again. A change that arrives meanwhile causes one more read. Fails: with the database's error. */
  async reload(): Promise<void> {
    this.isStale = true;
    this.loading ??= this.readUntilFresh().finally(() => {
      this.loading = undefined;
    });
    await this.loading;
  }

  private async readUntilFresh(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      this.fingerprint = await this.readFingerprint();
      const before = this.snapshot;
      this.snapshot = buildSnapshot(await this.readChannels(), await this.readAbilities());
      for (const id of this.snapshot.renewedSince(before)) this.rest.forget(id);
    }
  }

  private reloadInBackground(): void {
    this.reload().catch((error: unknown) => {
      // The last good snapshot stays in use; the next poll tries again.
      this.fingerprint = '';
      this.logger.warn(`channels could not be read: ${String(error)}`);
    });
  }

  private schedulePoll(): void {
    this.stopPolling = this.clock.after(POLL_MS, () => {
      this.poll()
        .catch((error: unknown) => this.logger.warn(`channels could not be polled: ${String(error)}`))
        .finally(() => this.schedulePoll());
    });
  }

  private async poll(): Promise<void> {
    this.pollCount += 1;
    if (this.pollCount % FULL_READ_EVERY !== 0 && (await this.readFingerprint()) === this.fingerprint) return;
    await this.reload();
  }

  /** Sums over the columns that decide routing: sees additions, deletions and almost every edit for the price of one scan. */
  private async readFingerprint(): Promise<string> {
    const row: unknown = await this.dataSource
      .createQueryBuilder(ChannelEntity, 'channel')
      .select('COUNT(*)', 'count')
      .addSelect('SUM(channel.id * channel.status)', 'states')
      .addSelect('SUM((channel.id + 7) * channel.weight)', 'weights')
      .addSelect('SUM((channel.id + 7) * channel.priority)', 'priorities')
      .addSelect('SUM((channel.id + 7) * (channel.type + channel.autoBan))', 'types')
      .addSelect('SUM((channel.id + 7) * LENGTH(channel.models))', 'models')
      .addSelect(
        'SUM((channel.id + 7) * (LENGTH(channel.baseUrl) + LENGTH(channel.group) + LENGTH(channel.key) + LENGTH(channel.setting) +' +
          ' LENGTH(channel.modelMapping) + LENGTH(channel.paramOverride) + LENGTH(channel.statusCodeMapping) + COALESCE(LENGTH(channel.headerOverride), 0) +' +
          ' COALESCE(LENGTH(channel.settings), 0) + COALESCE(LENGTH(channel.channelInfo), 0)))',
        'lengths',
      )
      .where('channel.deletedAtMs IS NULL')
      .getRawOne();
    return JSON.stringify(row);
  }

  private async readChannels(): Promise<ChannelRow[]> {
    const channels = await this.dataSource
      .createQueryBuilder(ChannelEntity, 'channel')
      .select(COLUMNS.map((column) => `channel.${column}`))
      .where('channel.deletedAtMs IS NULL')
      .andWhere('channel.status = :status', { status: CHANNEL_STATUS.enabled })
      .getMany();
    return channels.flatMap((channel) => this.openRow(channel));
  }

  /** A channel that cannot be read is left out rather than used wrongly (G15). */
  private openRow(channel: ChannelEntity): ChannelRow[] {
    try {
      const key = channel.key === '' ? '' : openChannelKey(this.secretBox, channel.id, channel.key);
      const ring = ringOf(channel.channelInfo, key);
      if (ring?.keys.length === 0) return [];
      const row: ChannelRow = {
        id: channel.id,
        type: channel.type,
        name: channel.name,
        status: channel.status,
        baseUrl: channel.baseUrl,
        credential: ring === undefined ? key : '',
        ...(ring === undefined ? {} : { ring }),
        organization: channel.openAiOrganization,
        other: channel.other,
        modelMapping: channel.modelMapping,
        statusCodeMapping: channel.statusCodeMapping,
        paramOverride: channel.paramOverride,
        headerOverride: channel.headerOverride ?? '',
        setting: channel.setting,
        settings: channel.settings ?? '',
        autoBan: channel.autoBan === 1,
      };
      routeOf(row, '');
      return [row];
    } catch (error) {
      this.logger.error(
        `channel ${channel.id} is left out, its key or settings cannot be read: ${String(error)}`,
      );
      return [];
    }
  }

  private readAbilities(): Promise<EnabledAbility[]> {
    return this.dataSource
      .createQueryBuilder(AbilityEntity, 'ability')
      .select(['ability.group', 'ability.model', 'ability.channelId', 'ability.priority', 'ability.weight'])
      .where('ability.enabled = :enabled', { enabled: true })
      .getMany();
  }
}
