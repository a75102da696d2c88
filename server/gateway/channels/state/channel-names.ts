import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, IsNull } from 'typeorm';
import { escapeLike } from '../../../common/text.js';
import { CHANNEL_STATUS } from './channel.codes.js';
import { ChannelEntity } from './channel.entity.js';

/** Names of channels for lists that hold only their ids; deleted channels keep theirs. */
@Injectable()
export class ChannelNames {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Unknown ids are missing from the answer. */
  async of(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const wanted = [...new Set(ids)].filter((id) => id > 0);
    if (wanted.length === 0) return new Map();
    const rows = await this.dataSource.getRepository(ChannelEntity).find({
      select: { id: true, name: true },
      where: { id: In(wanted) },
    });
    return new Map(rows.map((row) => [row.id, row.name]));
  }

  /** True when a channel that is not deleted has the id. */
  isLive(id: number): Promise<boolean> {
    return this.dataSource.getRepository(ChannelEntity).existsBy({ id, deletedAtMs: IsNull() });
  }

  /** Those of the channels that are not deleted. */
  async live(ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const where = { id: In([...new Set(ids)]), deletedAtMs: IsNull() };
    const rows = await this.dataSource.getRepository(ChannelEntity).find({ select: { id: true }, where });
    return new Set(rows.map(({ id }) => id));
  }

  /** Those of the tags that a channel has which is not deleted. */
  async liveTags(tags: readonly string[]): Promise<ReadonlySet<string>> {
    if (tags.length === 0) return new Set();
    const where = { tag: In([...new Set(tags)]), deletedAtMs: IsNull() };
    const rows = await this.dataSource.getRepository(ChannelEntity).find({ select: { tag: true }, where });
    return new Set(rows.flatMap(({ tag }) => tag ?? []));
  }

  /** True when a channel that is not deleted has the tag. */
  hasTag(tag: string): Promise<boolean> {
    return this.dataSource.getRepository(ChannelEntity).existsBy({ tag, deletedAtMs: IsNull() });
  }

  /** Those of the channels that the gateway disabled because of their failures. */
  async autoDisabled(ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const rows = await this.dataSource.getRepository(ChannelEntity).find({
      select: { id: true },
      where: {
        id: In([...new Set(ids)]),
        status: CHANNEL_STATUS.disabledAutomatically,
        deletedAtMs: IsNull(),
      },
    });
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Channels whose name contains a text in any case, or whose id it is, newest first; deleted ones too, since the log has their calls.
   * @param limit  most channels that are returned
   */
  async containing(part: string, limit: number): Promise<readonly { id: number; name: string }[]> {
    const query = this.dataSource
      .getRepository(ChannelEntity)
      .createQueryBuilder('channel')
      .select('channel.id', 'id')
      .addSelect('channel.name', 'name')
      .where(`LOWER(channel.name) LIKE :part ESCAPE '!'`, { part: `%${escapeLike(part.toLowerCase())}%` });
    if (/^\d{1,9}$/.test(part)) query.orWhere('channel.id = :id', { id: Number(part) });
    const rows = await query
      .orderBy('channel.id', 'DESC')
      .limit(limit)
      .getRawMany<{ id: string | number; name: string }>();
    return rows.map(({ id, name }) => ({ id: Number(id), name }));
  }
}
