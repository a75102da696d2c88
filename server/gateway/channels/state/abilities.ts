import { DomainError } from '../../../common/errors/domain-error.js';
import { splitList } from '../../../common/text.js';
import type { AbilityEntity } from './ability.entity.js';
import { CHANNEL_STATUS } from './channel.codes.js';
import type { ChannelEntity } from './channel.entity.js';

/** Models times groups of one channel: more is a mistake, and would make every edit slow. */
const MAX_ABILITIES = 50_000;

/** What a channel's abilities follow from. */
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

/** What must be written so that `stored` becomes `wanted`; rows that are right are not touched. */
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

const keyOf = (row: AbilityRow): string => JSON.stringify([row.channelId, row.group, row.model]);

const hasSameValues = (left: AbilityRow, right: AbilityRow): boolean =>
  left.enabled === right.enabled &&
  left.priority === right.priority &&
  left.weight === right.weight &&
  left.tag === right.tag;
