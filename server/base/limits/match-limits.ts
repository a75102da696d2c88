import { isModelListed } from '../../relay-core/model/model-family.js';
import type { Caller } from '../../relay-core/model/call.js';
import { isOfChannel, type LimitDefinition } from './limit-definition.js';

/** A limit that applies to a call, for one value of it. */
export interface MatchedLimit {
  readonly limit: LimitDefinition;
  /** Empty, or the id or value where the limit applies to each. */
  readonly value: string;
}

/** Facts about a caller that limits depend on. */
export type LimitedCaller = Pick<
  Caller,
  'userId' | 'tokenId' | 'group' | 'userGroup' | 'tags' | 'endUser' | 'isChannelTest'
>;

interface Candidate extends MatchedLimit {
  /** Null = every model. */
  readonly models: ReadonlySet<string> | null;
}

/** Finds the limits of a call: by subject, not one limit after the other. Limits of channels are left out: they are admitted with the channel. */
export class LimitMatcher {
  /** Scope, account and subject → limits; of limits for each value the subject is empty. */
  private readonly bySubject = new Map<string, LimitDefinition[]>();
  private readonly candidates = new WeakMap<LimitedCaller, readonly Candidate[]>();
  private readonly models = new Map<number, ReadonlySet<string> | null>();

  constructor(limits: readonly LimitDefinition[]) {
    for (const limit of limits) {
      if (isOfChannel(limit)) continue;
      const key = keyOf(limit.scope, limit.accountId, limit.each ? null : limit.subject);
      this.bySubject.set(key, [...(this.bySubject.get(key) ?? []), limit]);
      this.models.set(limit.id, limit.model === '' ? null : new Set([limit.model]));
    }
  }

  get isEmpty(): boolean {
    return this.bySubject.size === 0;
  }

  of(caller: LimitedCaller, model: string): readonly MatchedLimit[] {
    let candidates = this.candidates.get(caller);
    if (candidates === undefined) this.candidates.set(caller, (candidates = this.candidatesOf(caller)));
    if (candidates.length === 0) return NONE;
    const matched = candidates.filter(({ models }) => models === null || isModelListed(models, model));
    return withoutGeneral(matched);
  }

  private candidatesOf(caller: LimitedCaller): readonly Candidate[] {
    if (caller.isChannelTest === true) return NONE;
    const { userId, tokenId, group, userGroup = group, tags = [], endUser } = caller;
    const found: MatchedLimit[] = [];
    const look = (scope: LimitDefinition['scope'], accountId: number | null, subject: string): void => {
      for (const limit of this.bySubject.get(keyOf(scope, accountId, subject)) ?? NONE)
        found.push({ limit, value: '' });
      for (const limit of this.bySubject.get(keyOf(scope, accountId, null)) ?? NONE)
        found.push({ limit, value: limit.each ? subject : '' });
    };
    for (const accountId of [null, userId]) {
      if (tokenId !== null) look('token', accountId, String(tokenId));
      look('account', accountId, String(userId));
      if (endUser !== undefined) look('end_user', accountId, endUser);
      for (const tag of tags) look('tag', accountId, tag);
    }
    look('group', null, userGroup);
    look('call_group', null, group);
    look('everyone', null, '');
    return found.map((match) => ({ ...match, models: this.models.get(match.limit.id) ?? null }));
  }
}

const NONE: readonly never[] = [];

const keyOf = (scope: string, accountId: number | null, subject: string | null): string =>
  `${scope}|${accountId ?? ''}|${subject === null ? 'each' : `=${subject}`}`;

/** A value's own limit stands in the place of the one for each value: same measure, period and models. */
function withoutGeneral(matched: readonly Candidate[]): readonly MatchedLimit[] {
  if (!matched.some(({ limit }) => limit.each)) return matched;
  return matched.filter(
    ({ limit, value }) =>
      !limit.each ||
      !matched.some(
        ({ limit: own }) =>
          !own.each &&
          !own.byUser &&
          own.scope === limit.scope &&
          own.subject === value &&
          isAlike(own, limit),
      ),
  );
}

const isAlike = (left: LimitDefinition, right: LimitDefinition): boolean =>
  left.measure === right.measure &&
  left.period === right.period &&
  left.rolling === right.rolling &&
  left.model === right.model;
