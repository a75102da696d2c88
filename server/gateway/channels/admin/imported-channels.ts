import { renderSentence, type Sentence, sentence } from '../../../common/import-sentences/sentence.js';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { SecretBox } from '../../../infra/crypto/secret-box.js';
import { bumpRevision } from '../../../infra/events/bump-revision.js';
import { isServedType } from '../../../relay-core/providers/registry.js';
import { abilitiesOf } from '../state/abilities.repository.js';
import { AbilityEntity } from '../state/ability.entity.js';
import { sealChannelKey } from '../state/channel-key.js';
import {
  checkChannelFields,
  checkKey,
  checkWholeChannel,
  isJsonKey,
  type ChannelFields,
} from '../state/channel-rules.js';
import { isKnownType, nameOfType } from '../state/channel-types.js';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import { ChannelEntity } from '../state/channel.entity.js';
import { splitStoredKeys } from '../state/key-ring.js';
import { EMPTY } from './new-channel.js';

/** A channel of another gateway, unchecked. */
export interface ForeignChannel {
  /** Null = the type has no counterpart. */
  readonly type: number | null;
  readonly name: string;
  /** One a line. */
  readonly key: string;
  readonly status: number;
  readonly statusReason: string;
  /** Seconds. */
  readonly statusTime: number;
  readonly fields: Readonly<Record<string, string | number | null>>;
  readonly channelInfo: string;
  readonly createdTime: number;
  readonly testTime: number;
  readonly responseTime: number;
  readonly balance: number;
  readonly balanceUpdatedTime: number;
  readonly offReasons: readonly Sentence[];
}

type NewChannel = Omit<ChannelEntity, 'id' | 'usedQuota'>;

const ROWS_PER_INSERT = 500;

/**
 * The columns of an imported channel, and why it arrives switched off: each part that the rules here refuse is left empty, and its
 * channel is off, so that it never runs without it.
 */
export function importedChannel(
  foreign: ForeignChannel,
  nowSeconds: number,
): { readonly channel: NewChannel; readonly reasons: readonly Sentence[] } {
  const reasons = [...foreign.offReasons];
  const attempt = <T>(part: string, check: () => T, instead: T): T => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const refusal = { refusal: error.code, values: error.values };
      reasons.push(sentence('channel_part_refused', { part, refusal }));
      return instead;
    }
  };
  const type = foreign.type !== null && isKnownType(foreign.type) ? foreign.type : EMPTY.type;
  if (foreign.type !== null && type !== foreign.type)
    reasons.push(sentence('channel_type_unknown', { type: foreign.type }));
  else if (foreign.type !== null && !isServedType(type))
    reasons.push(sentence('channel_type_not_served', { type: nameOfType(type) }));
  let columns = { ...EMPTY, type, name: foreign.name.slice(0, 191) };
  const checked = { name: foreign.name, ...foreign.fields };
  for (const [member, value] of Object.entries(checked)) {
    if (value === '' || value === null) continue;
    const fields = { [member]: value } as ChannelFields;
    columns = { ...columns, ...attempt(member, () => checkChannelFields(fields), {}) };
  }
  columns.other = attempt('other', () => checkWholeChannel(columns).other, columns.other);
  const keys = splitStoredKeys(foreign.key);
  if (keys.length === 0) reasons.push(sentence('channel_without_key'));
  for (const key of keys) attempt('key', () => checkKey(key, isJsonKey(key, type), type), key);
  const wasOn = foreign.status === CHANNEL_STATUS.enabled;
  const isOff = reasons.length > 0;
  const status = isOff || !wasOn ? offStatus(foreign.status) : CHANNEL_STATUS.enabled;
  const reason = [foreign.statusReason, ...reasons.map((one) => `import: ${renderSentence(one, 'en')}`)]
    .filter((one) => one !== '')
    .join('; ');
  return {
    reasons,
    channel: {
      ...columns,
      key: '',
      status,
      createdTime: foreign.createdTime || nowSeconds,
      testTime: foreign.testTime,
      testFailure: '',
      responseTime: foreign.responseTime,
      balance: foreign.balance,
      balanceUpdatedTime: foreign.balanceUpdatedTime,
      otherInfo:
        reason === ''
          ? ''
          : JSON.stringify({ status_reason: reason, status_time: foreign.statusTime || nowSeconds }),
      channelInfo: foreign.channelInfo || null,
      deletedAtMs: null,
      deletedBy: null,
      wipedAtMs: null,
    },
  };
}

const offStatus = (status: number): number =>
  status === CHANNEL_STATUS.disabledAutomatically ? status : CHANNEL_STATUS.disabledByHand;

/** Stores a channel with its abilities, with its own number if it has one. @returns its number. Fails: duplicate key. */
export async function insertImportedChannel(
  manager: EntityManager,
  secrets: SecretBox,
  {
    channel,
    key,
    number,
  }: { readonly channel: NewChannel; readonly key: string; readonly number: number | null },
): Promise<number> {
  await bumpRevision(manager, 'channels');
  const rows = manager.getRepository(ChannelEntity);
  const entity = rows.create({ ...channel, ...(number === null ? {} : { id: number }) });
  await rows.insert(entity);
  await rows.update({ id: entity.id }, { key: sealChannelKey(secrets, entity.id, key) });
  const abilities = abilitiesOf({ ...channel, id: entity.id });
  for (let from = 0; from < abilities.length; from += ROWS_PER_INSERT)
    await manager
      .getRepository(AbilityEntity)
      .insert(abilities.slice(from, from + ROWS_PER_INSERT).map((row): AbilityEntity => ({ ...row })));
  return entity.id;
}
