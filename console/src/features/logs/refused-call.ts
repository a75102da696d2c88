import { ROLE } from '../../api/current-user';
import type { LogLine } from './api';
import { detailsOf } from '../../shared/receipt/log-details';

/** Name of a rule in the texts of the log. */
export type RuleWord =
  | 'token'
  | 'group'
  | 'price'
  | 'balance'
  | 'tokenQuota'
  | 'rateLimit'
  | 'atOnce'
  | 'words'
  | 'channels'
  | 'channelKey'
  | 'channelAccount'
  | 'channelAddress'
  | 'request'
  | 'gateway'
  | 'limits'
  | 'provider';

export type MendWord =
  | 'token'
  | 'personal'
  | 'topUp'
  | 'price'
  | 'channels'
  | 'channel'
  | 'rateLimit'
  | 'words'
  | 'status'
  | 'account';

export interface Mend {
  readonly word: MendWord;
  /** Page of the console. */
  readonly path: string;
}

export interface Reader {
  readonly id: number;
  readonly role: number;
}

/** Refusals that their kind alone does not explain. */
const RULE_OF_CODE: Readonly<Record<string, RuleWord>> = {
  'key-disabled': 'token',
  'key-expired': 'token',
  'address-refused': 'token',
  'end-user-missing': 'token',
  'key-without-models': 'token',
  'key-without-model': 'token',
  'group-unknown': 'group',
  'group-closed': 'group',
  'group-not-offered': 'group',
  'key-quota-too-small': 'tokenQuota',
  'account-busy': 'atOnce',
  'prompt-refused': 'provider',
  'channels-busy': 'channels',
  'rule-refused': 'channels',
  'base-missing': 'channelAddress',
  'base-missing-azure': 'channelAddress',
  'base-unusable': 'channelAddress',
  'policy-refused': 'channelAddress',
  'proxy-refused': 'channelAddress',
};

/** The others, by the kind of the failure. */
const RULE_OF_KIND: Readonly<Record<string, RuleWord>> = {
  'address-refused': 'token',
  'model-refused': 'token',
  forbidden: 'group',
  'price-missing': 'price',
  'quota-insufficient': 'balance',
  'rate-limited': 'rateLimit',
  'content-refused': 'words',
  'channel-unavailable': 'channels',
  'channels-full': 'channels',
  'model-not-found': 'channels',
  'invalid-request': 'request',
  'body-too-large': 'request',
  'unsupported-media': 'request',
  'not-found': 'request',
  'not-implemented': 'request',
  unavailable: 'gateway',
  'shutting-down': 'gateway',
  internal: 'gateway',
  'loop-detected': 'channelAddress',
  'limit-full': 'limits',
  'limit-reached': 'limits',
  'upstream-key-refused': 'channelKey',
  'upstream-quota-spent': 'channelAccount',
  'upstream-unreachable': 'channelAddress',
};

/** The rule or party that refused; undefined for lines of calls that were answered. */
export function ruleOf(line: Pick<LogLine, 'other'>): RuleWord {
  const { refusal, error_code: code, admin_info: admin } = detailsOf(line);
  const failure = admin?.attempts?.at(-1)?.failure;
  return (
    valueAt(RULE_OF_CODE, refusal?.code) ??
    valueAt(RULE_OF_KIND, code) ??
    valueAt(RULE_OF_KIND, failure) ??
    'provider'
  );
}

const valueAt = <T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/** Pages where the reader can mend what refused a call; none where only another person or the caller's program can. */
export function mendsOf(
  line: Pick<LogLine, 'other' | 'user_id' | 'token_id' | 'model_name' | 'channel'>,
  reader: Reader,
): readonly Mend[] {
  const isAdministrator = reader.role >= ROLE.administrator;
  const isOwner = reader.role >= ROLE.root;
  const isOwn = line.user_id === reader.id;
  const token: Mend =
    line.token_id > 0
      ? { word: 'token', path: `/token?edit=${line.token_id}` }
      : { word: 'token', path: '/token' };
  const account: Mend = { word: 'account', path: `/user/edit/${line.user_id}` };
  const ofOwnerOrAdministrator = (own: Mend): readonly Mend[] =>
    isOwn ? [own] : isAdministrator ? [account] : [];
  const channels: Mend = { word: 'channels', path: `/channel?model=${encodeURIComponent(line.model_name)}` };
  const channel: Mend =
    line.channel > 0 ? { word: 'channel', path: `/channel/edit/${line.channel}` } : channels;
  switch (ruleOf(line)) {
    case 'token':
    case 'tokenQuota':
    case 'group':
      return ofOwnerOrAdministrator(token);
    case 'balance':
      return ofOwnerOrAdministrator({ word: 'topUp', path: '/topup' });
    case 'price':
      return isAdministrator
        ? [{ word: 'price', path: '/prices?prices=unset_models' }]
        : [{ word: 'personal', path: '/personal?tab=prices' }];
    case 'rateLimit':
      return isOwner ? [{ word: 'rateLimit', path: '/setting?tab=ratelimit' }] : [];
    case 'words':
      return isOwner ? [{ word: 'words', path: '/setting?tab=operation#section-words' }] : [];
    case 'channels':
      return isAdministrator ? [channels] : [];
    case 'channelKey':
    case 'channelAccount':
    case 'channelAddress':
    case 'provider':
      return isAdministrator ? [channel] : [];
    case 'gateway':
      return isAdministrator ? [{ word: 'status', path: '/status' }] : [];
    case 'atOnce':
    case 'limits':
    case 'request':
      return [];
  }
}
