import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import { AbilityEntity } from './ability.entity.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { splitList } from '../../../common/text.js';
import { CHANNEL_STATUS } from './channel.codes.js';
import type { ChannelEntity } from './channel.entity.js';

/** Models times groups of one channel: more is a mistake, and would make every edit slow. */
const MAX_ABILITIES = 50_000;

const keyOf = (row: AbilityRow): string => JSON.stringify([row.channelId, row.group, row.model]);

const hasSameValues = (left: AbilityRow, right: AbilityRow): boolean =>
  left.enabled === right.enabled &&
  left.priority === right.priority &&
  left.weight === right.weight &&
  left.tag === right.tag;

/** Rows per statement: keeps below every database's limit of parameters. */
const CHUNK = 500;

/** The derived rows the relay chooses channels by. Always written in the transaction that changes their channels. */
@Injectable()
export class AbilitiesRepository {
  constructor(@InjectRepository(AbilityEntity) private readonly rows: Repository<AbilityEntity>) {}

  /** Makes the rows of these channels what they should be, touching only those that are wrong. */
  async rebuild(manager: EntityManager, channels: readonly AbilitySource[]): Promise<void> {
    if (channels.length === 0) return;
    const stored = await manager
      .getRepository(AbilityEntity)
      .findBy({ channelId: In(channels.map((one) => one.id)) });
    await this.write(manager, compareAbilities(stored, channels.flatMap(abilitiesOf)));
  }

  /** The same for every channel there is; rows of vanished channels go. */
  async rebuildAll(manager: EntityManager, channels: readonly AbilitySource[]): Promise<void> {
    const stored = await manager.getRepository(AbilityEntity).find();
    await this.write(manager, compareAbilities(stored, channels.flatMap(abilitiesOf)));
  }

  async deleteOf(manager: EntityManager, channelIds: readonly number[]): Promise<void> {
    if (channelIds.length === 0) return;
    await manager.getRepository(AbilityEntity).delete({ channelId: In(channelIds) });
  }

  /** Distinct models with an enabled channel, sorted; of some groups or of all. */
  async enabledModels(groups?: readonly string[]): Promise<string[]> {
    if (groups?.length === 0) return [];
    const query = this.rows
      .createQueryBuilder('ability')
      .select('ability.model', 'model')
      .where('ability.enabled = :enabled', { enabled: true });
    if (groups !== undefined) query.andWhere('ability.group IN (:...groups)', { groups });
    const rows = await query
      .groupBy('ability.model')
      .orderBy('ability.model', 'ASC')
      .getRawMany<{ model: string }>();
    return rows.map((row) => row.model);
  }

  private async write(manager: EntityManager, difference: AbilityDifference): Promise<void> {
    const rows = manager.getRepository(AbilityEntity);
    for (const [, group] of Map.groupBy(difference.surplus, (row) =>
      JSON.stringify([row.channelId, row.group]),
    )) {
      const first = group[0];
      if (first === undefined) continue;
      for (const models of chunks(group.map((row) => row.model))) {
        await rows.delete({ channelId: first.channelId, group: first.group, model: In(models) });
      }
    }
    for (const portion of chunks(difference.missing)) {
      await rows.insert(portion.map((row): AbilityEntity => ({ ...row })));
    }
    for (const [, same] of Map.groupBy(difference.changed, valuesOf)) await this.overwrite(manager, same);
  }

  /** Rows that take on the same values, a channel and group at a time. */
  private async overwrite(manager: EntityManager, rows: readonly AbilityRow[]): Promise<void> {
    const first = rows[0];
    if (first === undefined) return;
    const { enabled, priority, weight, tag } = first;
    for (const models of chunks(rows.map((row) => row.model))) {
      await manager
        .getRepository(AbilityEntity)
        .update(
          { channelId: first.channelId, group: first.group, model: In(models) },
          { enabled, priority, weight, tag },
        );
    }
  }
}

const valuesOf = (row: AbilityRow): string =>
  JSON.stringify([row.channelId, row.group, row.enabled, row.priority, row.weight, row.tag]);

function chunks<T>(rows: readonly T[]): T[][] {
  const portions: T[][] = [];
  for (let start = 0; start < rows.length; start += CHUNK) portions.push(rows.slice(start, start + CHUNK));
  return portions;
}

/** Columns a channel's abilities are derived from. */
export type AbilitySource = Readonly<
  Pick<ChannelEntity, 'id' | 'models' | 'group' | 'status' | 'priority' | 'weight' | 'tag'>
>;
export type AbilityRow = Readonly<AbilityEntity>;

export interface AbilityDifference {
  readonly missing: readonly AbilityRow[];
  readonly surplus: readonly AbilityRow[];
  /** Same group, model and channel, other values. */
  readonly changed: readonly AbilityRow[];
}

/** One row per group and model; enabled exactly while the channel is. Fails: channel_too_wide. */
export function abilitiesOf(channel: AbilitySource): AbilityRow[] {
  const shared = {
    channelId: channel.id,
    enabled: channel.status === CHANNEL_STATUS.enabled,
    priority: channel.priority,
    weight: channel.weight,
    tag: channel.tag,
  };
  const models = splitList(channel.models);
  const groups = splitList(channel.group);
  if (models.length * groups.length > MAX_ABILITIES)
    throw new DomainError('channel_too_wide', { max: MAX_ABILITIES });
  return groups.flatMap((group) => models.map((model) => ({ group, model, ...shared })));
}

/** Writes that turn `stored` into `wanted`; rows that are right are not touched. */
export function compareAbilities(
  stored: readonly AbilityRow[],
  wanted: readonly AbilityRow[],
): AbilityDifference {
  const rest = new Map(stored.map((row) => [keyOf(row), row]));
  const missing: AbilityRow[] = [];
  const changed: AbilityRow[] = [];
  for (const row of wanted) {
    const key = keyOf(row);
    const present = rest.get(key);
    if (present === undefined) missing.push(row);
    else if (!hasSameValues(present, row)) changed.push(row);
    rest.delete(key);
  }
  return { missing, surplus: [...rest.values()], changed };
}
