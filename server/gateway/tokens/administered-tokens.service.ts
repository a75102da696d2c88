import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_OFFSET } from '../../common/page.js';
import { fromOne } from '../../common/query.js';
import { Clock } from '../../common/clock.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import type { Actor } from '../../base/access/current-actor.js';
import { assertMayActOn } from '../../base/users/may-act-on.js';
import {
  AdministeredTokensRepository,
  type OwnedTokenRow,
  type TokenFilter,
} from './administered-tokens.repository.js';
import type {
  AdministeredTokenPage,
  AdministeredTokenQuery,
  AdministeredTokenView,
} from './dto/administered-token.dto.js';
import { TokenAllowances } from './token-allowances.js';
import { hashedKeyText } from './imported-tokens.js';
import { parseCredential, maskTokenKey, withoutKeyPrefix } from './token-key.js';
import { TokenKeys } from './token-keys.js';
import { storedStatus } from './token-lock-rules.js';
import { deriveTokenStatus, type TokenState } from './token-rules.js';

/** Keys opened between two database queries, and for one search by prefix. */
const KEYS_PER_STEP = 500;
const MAX_OPENED_KEYS = 20_000;
/** Ids are 32-bit; databases refuse to compare them with more. */
const ABOVE_EVERY_ID = 2 ** 31 - 1;
/** Searches that open keys, and look-ups of pasted keys, of one administrator. */
const SEARCH_RATE = { limit: 60, windowMs: 60_000 };

/** Tokens of all accounts as administrators look them up. No answer holds a key. */
@Injectable()
export class AdministeredTokens {
  constructor(
    private readonly tokens: AdministeredTokensRepository,
    private readonly keys: TokenKeys,
    private readonly allowances: TokenAllowances,
    private readonly throttle: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /**
   * A page, newest first. With a prefix the keys are opened until the page is full: at most 20,000, after which `is_complete` is false;
   * the total then counts one more than was found so far.
   * Fails: malformed_input for a page too far back, too_many_requests.
   */
  async list(actor: Actor, query: AdministeredTokenQuery): Promise<AdministeredTokenPage> {
    const page = fromOne(query);
    const limit = query.page_size;
    const offset = (page - 1) * limit;
    if (offset > MAX_OFFSET)
      throw new DomainError('malformed_input', { field: 'p', problem: ' (too far, narrow the search)' });
    const filter = { actor, userId: query.user_id, ownerPart: query.owner };
    const prefix = withoutKeyPrefix(query.prefix);
    if (prefix === '') {
      const { rows, total } = await this.tokens.page(filter, { offset, limit });
      return { items: await this.presentAll(rows), total, page, page_size: limit, is_complete: true };
    }
    await this.throttle.admit(`token-search:${actor.id}`, SEARCH_RATE);
    const enough = offset + limit + 1;
    const { matches, isComplete } = await this.withPrefix(filter, prefix, enough);
    const items = await this.presentAll(matches.slice(offset, enough - 1));
    return { items, total: matches.length, page, page_size: limit, is_complete: isComplete };
  }

  /**
   * The token of a pasted key, compared by its digest.
   * @param text  the key with or without `sk-`, also with the number of a channel behind it
   * Fails: not_found, user_out_of_reach, too_many_requests.
   */
  async findByKey(actor: Actor, text: string): Promise<AdministeredTokenView> {
    await this.throttle.admit(`token-search:${actor.id}`, SEARCH_RATE);
    const typed = text.trim();
    // Imported keys have other forms: as a whole, and by their SHA-256.
    const candidates = [
      parseCredential(typed)?.key,
      withoutKeyPrefix(typed),
      hashedKeyText(createHash('sha256').update(typed).digest('hex')),
    ];
    for (const key of new Set(candidates)) {
      if (key === undefined || key === '') continue;
      const row = await this.tokens.findByDigest(this.keys.digest(key));
      if (row !== null) return this.view(actor, row);
    }
    throw new DomainError('not_found');
  }

  /** Fails: not_found, user_out_of_reach. */
  async get(actor: Actor, id: number): Promise<AdministeredTokenView> {
    return this.view(actor, await this.tokens.find(id));
  }

  private async view(actor: Actor, row: OwnedTokenRow | null): Promise<AdministeredTokenView> {
    if (row === null) throw new DomainError('not_found');
    assertMayActOn('read', actor, row.owner);
    const [view] = await this.presentAll([row]);
    if (view === undefined) throw new DomainError('not_found');
    return view;
  }

  private async withPrefix(
    filter: TokenFilter,
    prefix: string,
    enough: number,
  ): Promise<{ readonly matches: OwnedTokenRow[]; readonly isComplete: boolean }> {
    const matches: OwnedTokenRow[] = [];
    let beforeId = ABOVE_EVERY_ID;
    for (let opened = 0; opened < MAX_OPENED_KEYS; opened += KEYS_PER_STEP) {
      const rows = await this.tokens.before(filter, beforeId, KEYS_PER_STEP);
      for (const row of rows) {
        if (this.keyOf(row).startsWith(prefix)) matches.push(row);
        if (matches.length === enough) return { matches, isComplete: true };
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < KEYS_PER_STEP) return { matches, isComplete: true };
      beforeId = last.token.id;
    }
    return { matches, isComplete: false };
  }

  private keyOf({ token }: OwnedTokenRow): string {
    return this.keys.show(token.id, token.keyEncrypted);
  }

  private async presentAll(rows: readonly OwnedTokenRow[]): Promise<AdministeredTokenView[]> {
    const remainders = await this.allowances.remaindersOf(rows.map(({ token }) => token));
    const nowSeconds = Math.floor(this.clock.nowMs() / 1000);
    return rows.map((row) =>
      presentAdministered(row, {
        key: this.keyOf(row),
        remainder: remainders.get(row.token.id) ?? row.token.remainQuota,
        nowSeconds,
      }),
    );
  }
}

/**
 * A token for an administrator.
 * @param now.key  only its mask is shown
 */
export function presentAdministered(
  { token, owner, lockedBy }: OwnedTokenRow,
  now: TokenState,
): AdministeredTokenView {
  const { key, remainder, nowSeconds } = now;
  const unlimitedQuota = Boolean(token.unlimitedQuota);
  const limits = {
    status: storedStatus(token),
    expiredTime: token.expiredTime,
    unlimitedQuota,
    remainder,
  };
  return {
    id: token.id,
    user_id: owner.id,
    username: owner.username,
    name: token.name,
    key_mask: token.keyEnding === '' ? maskTokenKey(key) : `…${token.keyEnding}`,
    status: deriveTokenStatus(limits, nowSeconds),
    created_time: token.createdTime,
    last_used_time: isUsed(token) ? token.accessedTime : 0,
    expired_time: token.expiredTime,
    remain_quota: remainder,
    unlimited_quota: unlimitedQuota,
    used_quota: token.usedQuota,
    group: token.group,
    lock:
      token.lockedAtMs === null
        ? null
        : {
            at: Math.floor(token.lockedAtMs / 1000),
            by_id: token.lockedById,
            by: lockedBy,
            reason: token.lockReason,
          },
  };
}

/** A new token was "accessed" when it was made. */
const isUsed = (token: OwnedTokenRow['token']): boolean =>
  token.usedQuota > 0 || token.accessedTime > token.createdTime;
