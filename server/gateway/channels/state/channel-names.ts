import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In } from 'typeorm';
import { ChannelEntity } from './channel.entity.js';

/** Names of channels for lists that hold only their ids; deleted channels keep theirs. */
@Injectable()
export class ChannelNames {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Ids nobody has ever had are missing from the answer. */
  async of(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const wanted = [...new Set(ids)].filter((id) => id > 0);
    if (wanted.length === 0) return new Map();
    const rows = await this.dataSource.getRepository(ChannelEntity).find({
      select: { id: true, name: true },
      where: { id: In(wanted) },
    });
    return new Map(rows.map((row) => [row.id, row.name]));
  }
}
