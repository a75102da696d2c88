import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { SecretBox } from '../../../infra/crypto/secret-box.js';
import { type PreparedPart, type RevisedPart, Revisions } from '../../../infra/events/revisions.js';
import { isServedType } from '../../../relay-core/providers/registry.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { AbilityEntity } from './ability.entity.js';
import { openChannelKey } from './channel-key.js';
import { CHANNEL_STATUS } from './channel.codes.js';
import { ChannelEntity } from './channel.entity.js';
import { ChannelCircuitBreaker } from './channel-circuit-breaker.js';
import {
  buildSnapshot,
  type OpenedChannel,
  type ChannelSnapshot,
  type EnabledAbility,
  ringOf,
  routeOf,
  openedChannel,
  ROUTED_COLUMNS,
} from './channel-snapshot.js';

/** The cheap look cannot see every edit; after this many looks everything is read again. */
const FULL_READ_EVERY = 12;

/** Contents of the database, including disabled channels. */
interface ReadChannels {
  readonly channels: readonly OpenedChannel[];
  readonly abilities: readonly EnabledAbility[];
  /** Models of channels that were switched off automatically: they come back. */
  readonly paused: readonly PausedModel[];
}

type PausedModel = Pick<EnabledAbility, 'group' | 'model'>;

/** The channels of this instance: one snapshot, replaced as a whole with the revision it belongs to. */
@Injectable()
export class ChannelSnapshotStore implements OnApplicationBootstrap, RevisedPart {
  readonly name = 'channels';
  private readonly logger = new Logger(ChannelSnapshotStore.name);
  private snapshot: ChannelSnapshot = buildSnapshot([], []);
  private read: ReadChannels = { channels: [], abilities: [], paused: [] };
  private offTypes: readonly string[] = [];
  private fingerprint = '';
  private looks = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly secretBox: SecretBox,
    private readonly revisions: Revisions,
    private readonly rest: ChannelCircuitBreaker,
    private readonly options: OptionsService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.options.onChange(() => this.switchTypes());
    this.offTypes = this.options.values().DisabledChannelTypes;
    await this.revisions.follow(this);
  }

  current(): ChannelSnapshot {
    return this.snapshot;
  }

  async prepare(manager: EntityManager): Promise<PreparedPart> {
    const fingerprint = await this.readFingerprint(manager);
    const channels = await this.readChannels(manager);
    const abilities = await this.readAbilities(manager);
    const read = { channels, abilities, paused: await this.readPaused(manager) };
    const offTypes = this.offTypes;
    const prepared = buildWithout(read, offTypes);
    return {
      // Rows that cannot be read are left out of the snapshot, and named in the log.
      complaint: null,
      apply: () => {
        const before = this.snapshot;
        // Providers may have been switched off by the same change.
        const snapshot = this.offTypes === offTypes ? prepared : buildWithout(read, this.offTypes);
        this.fingerprint = fingerprint;
        this.read = read;
        this.snapshot = snapshot;
        for (const id of snapshot.renewedSince(before)) this.rest.forget(id);
      },
    };
  }

  /** Providers that were switched off, or on again: their channels leave or come back without anything being read. */
  private switchTypes(): void {
    const offTypes = this.options.values().DisabledChannelTypes;
    if (offTypes === this.offTypes || offTypes.join() === this.offTypes.join()) return;
    this.offTypes = offTypes;
    this.snapshot = buildWithout(this.read, offTypes);
  }

  async hasDrifted(): Promise<boolean> {
    this.looks += 1;
    if (this.looks % FULL_READ_EVERY === 0) return true;
    return (await this.readFingerprint(this.dataSource.manager)) !== this.fingerprint;
  }

  /** Sums over the columns that decide routing: sees additions, deletions and almost every edit for the price of one scan. */
  private async readFingerprint(manager: EntityManager): Promise<string> {
    const row: unknown = await manager
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

  private async readChannels(manager: EntityManager): Promise<OpenedChannel[]> {
    const channels = await manager
      .createQueryBuilder(ChannelEntity, 'channel')
      .select([...ROUTED_COLUMNS, 'key', 'channelInfo'].map((column) => `channel.${column}`))
      .where('channel.deletedAtMs IS NULL')
      .andWhere('channel.status = :status', { status: CHANNEL_STATUS.enabled })
      .getMany();
    // Imported channels of a type nothing can be sent to would only stand in the way of others.
    return channels.filter(({ type }) => isServedType(type)).flatMap((channel) => this.openRow(channel));
  }

  /** A channel that cannot be read is left out rather than used wrongly. */
  private openRow(channel: ChannelEntity): OpenedChannel[] {
    try {
      const key = channel.key === '' ? '' : openChannelKey(this.secretBox, channel.id, channel.key);
      const ring = ringOf(channel.channelInfo, key);
      if (ring?.keys.length === 0) return [];
      const row = ring === undefined ? openedChannel(channel, key) : openedChannel(channel, '', ring);
      routeOf(row, '');
      return [row];
    } catch (error) {
      this.logger.error(
        `channel ${channel.id} is left out, its key or settings cannot be read: ${String(error)}`,
      );
      return [];
    }
  }

  private readAbilities(manager: EntityManager): Promise<EnabledAbility[]> {
    return manager
      .createQueryBuilder(AbilityEntity, 'ability')
      .select(['ability.group', 'ability.model', 'ability.channelId', 'ability.priority', 'ability.weight'])
      .where('ability.enabled = :enabled', { enabled: true })
      .getMany();
  }

  private readPaused(manager: EntityManager): Promise<PausedModel[]> {
    return manager
      .createQueryBuilder(AbilityEntity, 'ability')
      .innerJoin(ChannelEntity, 'channel', 'channel.id = ability.channelId')
      .select('ability.group', 'group')
      .addSelect('ability.model', 'model')
      .distinct(true)
      .where('channel.deletedAtMs IS NULL')
      .andWhere('channel.status = :status', { status: CHANNEL_STATUS.disabledAutomatically })
      .getRawMany<PausedModel>();
  }
}

/** @param offTypes  numbers of channel types, as the option has them */
function buildWithout(read: ReadChannels, offTypes: readonly string[]): ChannelSnapshot {
  const { channels, abilities, paused } = read;
  if (offTypes.length === 0) return buildSnapshot(channels, abilities, paused);
  const off = new Set(offTypes.map(Number));
  const kept = channels.filter(({ type }) => !off.has(type));
  const left = new Set(channels.filter(({ type }) => off.has(type)).map(({ id }) => id));
  const away = abilities.filter(({ channelId }) => left.has(channelId));
  return buildSnapshot(kept, abilities, [...paused, ...away]);
}
