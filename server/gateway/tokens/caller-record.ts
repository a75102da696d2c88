import { getOrAdd } from '../../common/get-or-add.js';
import { BlockList, isIPv6 } from 'node:net';
import { splitList } from '../../common/text.js';
import { canonicalAddress, readRange } from '../../common/ip-address.js';
import { isJsonObject, parseJson } from '../../common/parse-json.js';
import type { Caller } from '../../relay-core/model/call.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { storedTags } from '../../relay-core/model/tag-text.js';
import { NEVER, TOKEN_STATUS } from './token.codes.js';
import type { OptionValues } from '../../base/options/option-catalogue.js';

/** An account may always use its own group; one that is named must be offered to it and have a price factor. */
export function groupRule(
  { GroupRatio: ratios, UserUsableGroups: usable }: Pick<OptionValues, 'GroupRatio' | 'UserUsableGroups'>,
  userGroup: string,
  named: string,
): 'usable' | 'unusable' | 'unknown' {
  if (named === '') return 'usable';
  if (named !== userGroup && !Object.hasOwn(usable, named)) return 'unusable';
  return Object.hasOwn(ratios, named) ? 'usable' : 'unknown';
}

/** A token and its owner as one query reads them. */
export interface CallerRow {
  readonly tokenId: number;
  readonly tokenUid: string;
  readonly tokenName: string;
  readonly tokenStatus: number;
  /** An administrator has disabled it. */
  readonly isLocked: boolean;
  /** Seconds; -1 = never. */
  readonly expiredTime: number;
  readonly unlimitedQuota: boolean;
  readonly modelLimitsEnabled: boolean;
  readonly modelLimits: string;
  readonly allowIps: string;
  readonly tokenGroup: string;
  /** Comma list. */
  readonly tags: string;
  readonly needsEndUser: boolean;
  readonly userId: number;
  readonly accountUid: string;
  readonly username: string;
  readonly role: number;
  readonly userStatus: number;
  readonly userGroup: string;
  /** JSON text of the user's settings; empty = all defaults. */
  readonly userSetting: string;
}

/** Groups an account may use now; asked on each call, so that a change of the options holds at once. */
export type GroupRule = (userGroup: string, tokenGroup: string) => 'usable' | 'unusable' | 'unknown';

const USER_ENABLED = 1;
const ADMINISTRATOR_ROLE = 10;

/** Caller behind a key, prepared so that checking a call costs next to nothing. */
export class CallerRecord {
  private readonly caller: Caller;
  private readonly pinned = new Map<number, Caller>();
  private readonly allowed: AllowedAddresses;

  constructor(private readonly row: CallerRow) {
    this.allowed = new AllowedAddresses(row.allowIps);
    this.caller = {
      userId: row.userId,
      accountUid: row.accountUid,
      username: row.username,
      tokenId: row.tokenId,
      tokenUid: row.tokenUid,
      tokenName: row.tokenName,
      tokenLimited: !row.unlimitedQuota,
      group: row.tokenGroup === '' ? row.userGroup : row.tokenGroup,
      ...(row.tokenGroup === '' || row.tokenGroup === row.userGroup ? {} : { userGroup: row.userGroup }),
      modelLimits: row.modelLimitsEnabled ? new Set(splitList(row.modelLimits)) : null,
      acceptsUnsetPrice: acceptsUnsetPrice(row.userSetting),
      pinnedChannelId: null,
      ...(row.tags === '' ? {} : { tags: storedTags(row.tags) }),
      ...(row.needsEndUser ? { needsEndUser: true as const } : {}),
    };
  }

  get tokenId(): number {
    return this.row.tokenId;
  }

  get userId(): number {
    return this.row.userId;
  }

  /** The refusal of a call with this key, or null: token, then address, owner, group, pinning. */
  refusal(
    channelId: number | null,
    clientAddress: string,
    nowMs: number,
    ruleOf: GroupRule,
  ): RelayError | null {
    const { row } = this;
    if (row.isLocked) return refusal('key-locked');
    if (row.tokenStatus !== TOKEN_STATUS.enabled) return disabledKey();
    if (row.expiredTime !== NEVER && row.expiredTime * 1000 <= nowMs) {
      return refusal('key-expired');
    }
    if (!this.allowed.has(clientAddress)) {
      return refusal('address-refused');
    }
    return this.closure() ?? this.groupRefusal(ruleOf) ?? this.pinningRefusal(channelId);
  }

  /** The refusal that ends what this key has running as well: switched off, or its account banned. */
  closure(): RelayError | null {
    if (this.row.isLocked) return refusal('key-locked');
    if (this.row.tokenStatus !== TOKEN_STATUS.enabled) return disabledKey();
    if (this.row.userStatus !== USER_ENABLED) return refusal('account-disabled');
    return null;
  }

  callerFor(channelId: number | null): Caller {
    if (channelId === null) return this.caller;
    return getOrAdd(this.pinned, channelId, () => ({ ...this.caller, pinnedChannelId: channelId }));
  }

  private groupRefusal(ruleOf: GroupRule): RelayError | null {
    const { group } = this.caller;
    const rule = ruleOf(this.row.userGroup, this.row.tokenGroup);
    if (rule === 'usable') return null;
    return refusal(rule === 'unknown' ? 'group-unknown' : 'group-closed', { group });
  }

  private pinningRefusal(channelId: number | null): RelayError | null {
    if (channelId === null || this.row.role >= ADMINISTRATOR_ROLE) return null;
    return refusal('channel-choice');
  }
}

/** Addresses a token may be used from. A list that is present but unreadable allows none. */
class AllowedAddresses {
  private readonly list: BlockList | null;

  constructor(text: string) {
    this.list = text.trim() === '' ? null : readAddresses(text);
  }

  has(clientAddress: string): boolean {
    if (this.list === null) return true;
    const address = canonicalAddress(clientAddress);
    return address !== null && this.list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

function readAddresses(text: string): BlockList {
  const list = new BlockList();
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const range = readRange(entry);
    if (range === null) return new BlockList();
    list.addSubnet(range.address, range.prefix, range.family);
  }
  return list;
}

/** True when the account's settings allow models without a price. */
export function acceptsUnsetPrice(setting: string): boolean {
  // A setting that cannot be read grants nothing.
  const document = parseJson(setting);
  return isJsonObject(document) && document['accept_unset_model_ratio_model'] === true;
}

const disabledKey = (): RelayError => refusal('key-disabled');
