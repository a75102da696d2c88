import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, IsNull, MoreThan } from 'typeorm';
import { AbilityEntity } from '../state/ability.entity.js';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import { ChannelEntity } from '../state/channel.entity.js';
import { presentReason } from '../state/status-reason.js';

/** A model without a channel because all its channels were auto-disabled. */
export interface ModelOutage {
  readonly model: string;
  /** When the last of them was. */
  readonly sinceMs: number;
}

export interface ChannelBalance {
  readonly channelId: number;
  readonly name: string;
  /** US dollars. */
  readonly balance: number;
  readonly updatedAtMs: number;
}

const MAX_CHANNELS = 500;
const MAX_MODELS = 1_000;
/** A balance older than this is not used. */
const BALANCE_AGE_SECONDS = 3 * 86_400;

/** Faults of the channels as a whole, for alerts and the status page. */
@Injectable()
export class ChannelOutages {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async countByStatus(): Promise<Readonly<Record<'enabled' | 'disabled' | 'fallen', number>>> {
    const rows = await this.dataSource
      .getRepository(ChannelEntity)
      .createQueryBuilder('channel')
      .select('channel.status', 'status')
      .addSelect('COUNT(*)', 'count')
      .where({ deletedAtMs: IsNull() })
      .groupBy('channel.status')
      .getRawMany<{ status: number | string; count: number | string }>();
    const countOf = (status: number): number =>
      Number(rows.find((row) => Number(row.status) === status)?.count ?? 0);
    return {
      enabled: countOf(CHANNEL_STATUS.enabled),
      disabled: countOf(CHANNEL_STATUS.disabledByHand),
      fallen: countOf(CHANNEL_STATUS.disabledAutomatically),
    };
  }

  /** Models whose every channel is off, at least one of them automatically: what was switched off by hand is a wish. */
  async modelsOut(): Promise<readonly ModelOutage[]> {
    const fallen = await this.dataSource.getRepository(ChannelEntity).find({
      select: { id: true, models: true, otherInfo: true },
      where: { status: CHANNEL_STATUS.disabledAutomatically, deletedAtMs: IsNull() },
      take: MAX_CHANNELS,
    });
    const sinceMs = new Map<string, number>();
    for (const { models, otherInfo } of fallen) {
      const fellAtMs = presentReason(otherInfo).timeSeconds * 1_000;
      for (const model of models.split(',').filter(Boolean))
        sinceMs.set(model, Math.max(sinceMs.get(model) ?? 0, fellAtMs));
    }
    const models = [...sinceMs.keys()].slice(0, MAX_MODELS);
    if (models.length === 0) return [];
    const served = await this.dataSource
      .getRepository(AbilityEntity)
      .createQueryBuilder('ability')
      .select('DISTINCT ability.model', 'model')
      .where({ enabled: true, model: In(models) })
      .getRawMany<{ model: string }>();
    const isServed = new Set(served.map(({ model }) => model));
    return models
      .filter((model) => !isServed.has(model))
      .map((model) => ({ model, sinceMs: sinceMs.get(model) ?? 0 }));
  }

  /** Enabled channels whose balance was read recently and is below `limit`, lowest first. */
  async lowBalances(limit: number, nowSeconds: number): Promise<readonly ChannelBalance[]> {
    const rows = await this.dataSource
      .getRepository(ChannelEntity)
      .createQueryBuilder('channel')
      .select(['channel.id', 'channel.name', 'channel.balance', 'channel.balanceUpdatedTime'])
      .where({
        status: CHANNEL_STATUS.enabled,
        deletedAtMs: IsNull(),
        balanceUpdatedTime: MoreThan(nowSeconds - BALANCE_AGE_SECONDS),
      })
      .andWhere('channel.balance < :limit', { limit })
      .orderBy('channel.balance', 'ASC')
      .take(MAX_CHANNELS)
      .getMany();
    return rows.map(({ id, name, balance, balanceUpdatedTime }) => ({
      channelId: id,
      name,
      balance,
      updatedAtMs: balanceUpdatedTime * 1_000,
    }));
  }
}
