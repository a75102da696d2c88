import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_PAGE_SIZE } from '../../common/page.js';
import { fromZero, searchPage } from '../../common/query.js';
import { Clock } from '../../common/clock.js';
import type { Actor } from '../../base/access/current-actor.js';
import type { TokenEdit, TokenInput, TokenListQuery, TokenSearchQuery, TokenView } from './dto/token.dto.js';
import { TokenAllowances } from './token-allowances.js';
import { withoutKeyPrefix } from './token-key.js';
import { assertUnlocked, storedStatus } from './token-lock-rules.js';
import { TokenPolicy } from './token-policy.js';
import {
  checkAllowedAddresses,
  checkExpiry,
  checkModelLimits,
  checkStatusChange,
  checkTokenGroup,
  checkTokenName,
  checkTokenQuota,
  checkTokenTags,
  deriveTokenStatus,
  type TokenState,
} from './token-rules.js';
import { TokenStore } from './token-store.js';
import { TOKEN_STATUS } from './token.codes.js';
import { type TokenColumns, type TokenRow, TokensRepository } from './tokens.repository.js';

/** Keys opened between two questions to the database. */
const KEYS_PER_STEP = 200;
/** Ids are 32-bit; databases refuse to compare them with more. */
const ABOVE_EVERY_ID = 2 ** 31 - 1;

export interface TokenList {
  readonly items: readonly TokenView[];
  readonly total: number;
}

/** Actions of owners on their own API tokens. A token of another account is "not found". */
@Injectable()
export class TokensService {
  constructor(
    private readonly store: TokenStore,
    private readonly tokens: TokensRepository,
    private readonly allowances: TokenAllowances,
    private readonly policy: TokenPolicy,
    private readonly clock: Clock,
  ) {}

  async list(actor: Actor, query: TokenListQuery): Promise<TokenList> {
    const { rows, total } = await this.tokens.page(actor.id, fromZero(query) * query.size, query.size);
    return { items: await this.presentAll(rows), total };
  }

  /**
   * A page of those whose name contains the keyword and whose key contains the token, newest first. The table holds no key
   * to search in, so keys are opened until the page is full; the total then counts one more than was found so far.
   */
  async search(actor: Actor, query: TokenSearchQuery): Promise<TokenList> {
    const page = searchPage(query, MAX_PAGE_SIZE);
    const part = withoutKeyPrefix(query.token);
    if (part === '') {
      const { rows, total } = await this.tokens.named(actor.id, query.keyword, page);
      return { items: await this.presentAll(rows), total };
    }
    const enough = page.offset + page.limit + 1;
    const parts = { namePart: query.keyword, keyPart: part };
    const matches = await this.withKeyPart(actor.id, parts, enough);
    const items = await this.presentAll(matches.slice(page.offset, enough - 1));
    return { items, total: matches.length };
  }

  /** Fails: not_found. */
  async get(actor: Actor, id: number): Promise<TokenView> {
    return this.present(await this.getRow(actor, id));
  }

  /** Fails: token_limit_reached, too_many_requests, and by the rules of the fields. */
  async create(actor: Actor, input: TokenInput): Promise<TokenView> {
    const nowSeconds = this.nowSeconds();
    const columns = this.checkColumns(actor, input, undefined);
    const remainQuota = checkTokenQuota(input.remain_quota);
    await this.policy.admitCreation(actor);
    const token = {
      ...EMPTY,
      ...columns,
      userId: actor.id,
      createdTime: nowSeconds,
      accessedTime: nowSeconds,
    };
    const id = await this.store.create(token, {
      before: (manager) =>
        this.policy.assertBelowLimit(manager, actor, (inside) => this.tokens.count(inside, actor.id)),
      after: (manager, tokenId) =>
        this.allowances.grantFirst(manager, actor, { tokenId, amount: remainQuota }),
    });
    return this.get(actor, id);
  }

  /**
   * Changes the members that are present. The status is only looked at by `changeStatus`.
   * Fails: not_found, token_locked, and by the rules of the fields.
   */
  async update(actor: Actor, edit: TokenEdit): Promise<TokenView> {
    const before = await this.getRow(actor, edit.id);
    assertUnlocked(before);
    const columns = this.checkColumns(actor, edit, before);
    const allowance = edit.remain_quota === undefined ? null : checkTokenQuota(edit.remain_quota);
    if (allowance !== null || columns.unlimitedQuota !== undefined) {
      await this.allowances.returnPools(actor.id, edit.id);
    }
    await this.store.change([edit.id], async (manager) => {
      const locked = await this.lock(manager, actor, edit.id);
      // An administrator may have locked it meanwhile.
      assertUnlocked(locked);
      await this.tokens.update(manager, { userId: actor.id, id: edit.id }, columns);
      if (allowance === null) return;
      await this.allowances.change(manager, actor, locked, {
        wanted: allowance,
        loaded: edit.remain_quota_before,
      });
    });
    return this.get(actor, edit.id);
  }

  /** Enables or disables. Fails: not_found, token_locked, invalid_input, token_still_expired, token_still_exhausted. */
  async changeStatus(actor: Actor, id: number, status: number | undefined): Promise<TokenView> {
    const before = await this.getRow(actor, id);
    assertUnlocked(before);
    const remainder = await this.allowances.remainderOf(before);
    const limits = { ...before, remainder };
    const next = checkStatusChange(status ?? 0, limits, this.nowSeconds());
    await this.store.change([id], async (manager) => {
      assertUnlocked(await this.lock(manager, actor, id));
      await this.tokens.update(manager, { userId: actor.id, id }, { status: next });
    });
    if (next === TOKEN_STATUS.disabled) await this.allowances.returnPools(actor.id, id);
    return this.get(actor, id);
  }

  /** Fails: not_found. */
  async remove(actor: Actor, id: number): Promise<void> {
    if ((await this.removeMany(actor, [id])) === 0) throw new DomainError('not_found');
  }

  /** Deletes those that are the actor's own. @returns how many */
  async removeMany(actor: Actor, ids: readonly number[]): Promise<number> {
    const own = await this.tokens.owned(actor.id, ids);
    if (own.length === 0) return 0;
    const removed = await this.store.remove(actor, own, this.clock.nowMs());
    for (const id of own) await this.allowances.returnPools(actor.id, id);
    return removed;
  }

  /** At most `enough` of an owner's tokens, newest first; never more than one step of rows is waiting to be opened. */
  private async withKeyPart(
    userId: number,
    { namePart, keyPart }: { readonly namePart: string; readonly keyPart: string },
    enough: number,
  ): Promise<TokenRow[]> {
    const matches: TokenRow[] = [];
    let beforeId = ABOVE_EVERY_ID;
    for (;;) {
      const rows = await this.tokens.namedBefore(userId, namePart, { beforeId, limit: KEYS_PER_STEP });
      for (const row of rows) {
        if (this.store.keyOf(row).includes(keyPart)) matches.push(row);
        if (matches.length === enough) return matches;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < KEYS_PER_STEP) return matches;
      beforeId = last.id;
    }
  }

  private checkColumns(
    actor: Actor,
    input: Partial<TokenInput>,
    before: TokenRow | undefined,
  ): Partial<TokenColumns> {
    const columns: Partial<TokenColumns> = {};
    if (input.name !== undefined) columns.name = checkTokenName(input.name);
    if (input.expired_time !== undefined) {
      columns.expiredTime = checkExpiry(input.expired_time, this.nowSeconds(), before?.expiredTime);
    }
    if (input.unlimited_quota !== undefined) columns.unlimitedQuota = input.unlimited_quota;
    if (input.model_limits_enabled !== undefined) columns.modelLimitsEnabled = input.model_limits_enabled;
    if (input.model_limits !== undefined) columns.modelLimits = checkModelLimits(input.model_limits);
    if (input.allow_ips !== undefined) columns.allowIps = checkAllowedAddresses(input.allow_ips);
    // A group that was taken away from the owner may stay in the form; using the token is refused anyway.
    if (input.group !== undefined && input.group !== before?.group) {
      columns.group = checkTokenGroup(input.group, this.policy.usableGroups(actor));
    }
    if (input.tags !== undefined) columns.tags = checkTokenTags(input.tags);
    if (input.needs_end_user !== undefined) columns.needsEndUser = input.needs_end_user;
    return columns;
  }

  private async getRow(actor: Actor, id: number): Promise<TokenRow> {
    const token = await this.tokens.find(actor.id, id);
    if (token === null) throw new DomainError('not_found');
    return token;
  }

  private async lock(manager: EntityManager, actor: Actor, id: number): Promise<TokenRow> {
    const token = await this.tokens.lock(manager, actor.id, id);
    if (token === null) throw new DomainError('not_found');
    return token;
  }

  private async present(row: TokenRow): Promise<TokenView> {
    const remainder = await this.allowances.remainderOf(row);
    return presentToken(row, { key: this.store.keyOf(row), remainder, nowSeconds: this.nowSeconds() });
  }

  private async presentAll(rows: readonly TokenRow[]): Promise<TokenView[]> {
    const remainders = await this.allowances.remaindersOf(rows);
    const nowSeconds = this.nowSeconds();
    return rows.map((row) =>
      presentToken(row, {
        key: this.store.keyOf(row),
        remainder: remainders.get(row.id) ?? row.remainQuota,
        nowSeconds,
      }),
    );
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.nowMs() / 1000);
  }
}

/** Default values of a new token. */
const EMPTY: TokenColumns = {
  name: '',
  status: TOKEN_STATUS.enabled,
  expiredTime: -1,
  unlimitedQuota: false,
  modelLimitsEnabled: false,
  modelLimits: '',
  allowIps: '',
  group: '',
  tags: '',
  needsEndUser: false,
};

/** A token for its owner. */
export function presentToken(token: TokenRow, { key, remainder, nowSeconds }: TokenState): TokenView {
  const unlimitedQuota = Boolean(token.unlimitedQuota);
  const limits = { status: storedStatus(token), expiredTime: token.expiredTime, unlimitedQuota, remainder };
  return {
    id: token.id,
    user_id: token.userId,
    key,
    status: deriveTokenStatus(limits, nowSeconds),
    name: token.name,
    created_time: token.createdTime,
    accessed_time: token.accessedTime,
    expired_time: token.expiredTime,
    remain_quota: remainder,
    used_quota: token.usedQuota,
    refunded_quota: token.refundedQuota,
    unlimited_quota: unlimitedQuota,
    model_limits_enabled: Boolean(token.modelLimitsEnabled),
    model_limits: token.modelLimits,
    allow_ips: token.allowIps,
    group: token.group,
    tags: token.tags,
    needs_end_user: Boolean(token.needsEndUser),
    lock:
      token.lockedAtMs === null
        ? null
        : { at: Math.floor(token.lockedAtMs / 1000), reason: token.lockReason },
    DeletedAt: null,
  };
}
