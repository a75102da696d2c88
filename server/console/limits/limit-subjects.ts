import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_COLUMN_INTEGER } from '../../common/query.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import { OptionsService } from '../../base/options/options.service.js';
import { AccountNames, type NamedAccount } from '../../base/users/account-names.js';
import { ChannelNames } from '../../gateway/channels/state/channel-names.js';
import { TokenNames } from '../../gateway/tokens/token-names.js';
import { tagText } from '../../relay-core/model/tag-text.js';

type Target = Pick<LimitEntity, 'scope' | 'subject' | 'accountId' | 'each'>;

/** Names of what limits apply to. */
export interface SubjectNames {
  /** Name of a value of a limit; the value itself when nothing has it. */
  nameOf(scope: string, value: string): string;
  accountName(id: number | null): string;
  /** True for a token, account, channel or channel tag that is gone. */
  isMissing(scope: string, value: string): boolean;
}

/** Targets of limits: existence, owner and name. */
@Injectable()
export class LimitSubjects {
  constructor(
    private readonly options: OptionsService,
    private readonly accounts: AccountNames,
    private readonly tokens: TokenNames,
    private readonly channels: ChannelNames,
  ) {}

  /** @returns the subject as calls carry it. Fails: limit_subject_unknown. */
  async check(target: Target): Promise<string> {
    const { scope, subject, each } = target;
    if (target.accountId !== null) await this.account(target, target.accountId);
    if (each || scope === 'everyone') return '';
    switch (scope) {
      case 'token':
        if (!(await this.tokens.live([idOf(subject)])).has(idOf(subject))) unknown(target);
        return String(idOf(subject));
      case 'account':
        await this.account(target, idOf(subject));
        return String(idOf(subject));
      case 'group':
      case 'call_group':
        if (!Object.hasOwn(this.options.values().GroupRatio, subject)) unknown(target);
        return subject;
      case 'channel':
        if (!(await this.channels.isLive(idOf(subject)))) unknown(target);
        return String(idOf(subject));
      case 'channel_tag':
        if (!(await this.channels.hasTag(subject))) unknown(target);
        return subject;
      case 'end_user':
      case 'tag': {
        const { text, isCut } = tagText(subject);
        if (text === '' || isCut) unknown(target);
        return text;
      }
    }
  }

  /** The account whose calls alone a limit counts; undefined = those of several, or of none. Fails: limit_subject_unknown. */
  async ownerOf(target: Target): Promise<NamedAccount | undefined> {
    const { scope, subject, accountId, each } = target;
    if (accountId !== null) return this.account(target, accountId);
    if (each) return undefined;
    if (scope === 'account') return this.account(target, idOf(subject));
    if (scope !== 'token') return undefined;
    const token = (await this.tokens.live([idOf(subject)])).get(idOf(subject));
    return token === undefined ? unknown(target) : this.account(target, token.ownerId);
  }

  /** Ids of the tokens of an account. */
  tokenIdsOf(accountId: number): Promise<readonly number[]> {
    return this.tokens.idsOf(accountId);
  }

  /** Groups in which calls by these tokens of an account run. */
  async callGroupsOf(
    { group }: { readonly group: string },
    tokenIds: readonly number[],
  ): Promise<readonly string[]> {
    return [...new Set([group, ...(await this.tokens.groupsOf(tokenIds))])];
  }

  /** Names for a list of limits and the values of their use. */
  async names(
    limits: readonly Pick<LimitEntity, 'scope' | 'subject' | 'accountId' | 'createdBy'>[],
    values: readonly { readonly scope: string; readonly value: string }[] = [],
  ): Promise<SubjectNames> {
    const named = [...limits.map(({ scope, subject }) => ({ scope, value: subject })), ...values];
    const idsOf = (wanted: string): number[] =>
      named.filter(({ scope }) => scope === wanted).map(({ value }) => idOf(value));
    const tags = named.filter(({ scope }) => scope === 'channel_tag').map(({ value }) => value);
    const [tokens, channels, accounts, liveTokens, liveChannels, liveTags] = await Promise.all([
      this.tokens.of(idsOf('token')),
      this.channels.of(idsOf('channel')),
      this.accounts.of([...idsOf('account'), ...limits.map(({ accountId }) => accountId ?? 0)]),
      this.tokens.live(idsOf('token')),
      this.channels.live(idsOf('channel')),
      this.channels.liveTags(tags),
    ]);
    return {
      nameOf: (scope, value) => {
        const id = idOf(value);
        if (scope === 'token') return tokens.get(id) ?? value;
        if (scope === 'channel') return channels.get(id) ?? value;
        return scope === 'account' ? (accounts.get(id)?.username ?? value) : value;
      },
      accountName: (id) => accounts.get(id ?? 0)?.username ?? '',
      isMissing: (scope, value) => {
        const id = idOf(value);
        if (scope === 'token') return !liveTokens.has(id);
        if (scope === 'channel') return !liveChannels.has(id);
        if (scope === 'channel_tag') return !liveTags.has(value);
        return scope === 'account' && (accounts.get(id)?.isDeregistered ?? true);
      },
    };
  }

  private async account(target: Target, id: number): Promise<NamedAccount> {
    const account = (await this.accounts.of([id])).get(id);
    return account === undefined || account.isDeregistered ? unknown(target) : account;
  }
}

/** An id in digits; 0 = none. */
function idOf(subject: string): number {
  const id = /^\d{1,10}$/.test(subject) ? Number(subject) : 0;
  return id <= MAX_COLUMN_INTEGER ? id : 0;
}

export const unknownSubject = ({ scope, subject, accountId }: Target): DomainError =>
  new DomainError('limit_subject_unknown', {
    scope: scope.replaceAll('_', ' '),
    subject: (subject === '' ? String(accountId ?? '') : subject).slice(0, 100),
  });

function unknown(target: Target): never {
  throw unknownSubject(target);
}
