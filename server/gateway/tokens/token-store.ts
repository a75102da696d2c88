import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { AuditVerb } from '../../base/audit/audit-actions.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { TokenKeys } from './token-keys.js';
import { type NewToken, type TokenRow, TokensRepository } from './tokens.repository.js';

/** Changes tokens in transactions, keeps their keys sealed, and notifies every instance. */
@Injectable()
export class TokenStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: TokensRepository,
    private readonly keys: TokenKeys,
    private readonly feed: ChangeFeed,
    private readonly audit: AuditLog,
  ) {}

  /** One transaction; caches of these tokens are notified after the commit. */
  async change<T>(ids: readonly number[], work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = await runInTransaction(this.dataSource, work);
    this.announce(ids);
    return result;
  }

  /** One transaction that makes a new token with a key of its own. @returns its id */
  async create(
    token: Omit<NewToken, 'keyDigest'>,
    around: {
      /** Refuses by throwing, before anything is written. */
      readonly before: (manager: EntityManager) => Promise<void>;
      readonly after: (manager: EntityManager, id: number) => Promise<void>;
    },
  ): Promise<number> {
    const key = this.keys.make();
    const id = await runInTransaction(this.dataSource, async (manager) => {
      await around.before(manager);
      const tokenId = await this.tokens.insert(manager, { ...token, keyDigest: this.keys.digest(key) });
      // The ciphertext is bound to the row's id, which exists only now.
      await this.tokens.storeKey(manager, tokenId, this.keys.seal(tokenId, key));
      await around.after(manager, tokenId);
      return tokenId;
    });
    this.announce([id]);
    return id;
  }

  /** Deletes those tokens that are the actor's own, in one transaction. @returns how many */
  async remove(
    actor: { readonly id: number; readonly role: number },
    ids: readonly number[],
    nowMs: number,
  ): Promise<number> {
    return this.change(ids, async (manager) => {
      const removed = await this.tokens.softDelete(manager, actor.id, ids, nowMs);
      if (removed > 0) await this.record(manager, actor, { verb: 'delete', ids });
      return removed;
    });
  }

  /** Adds a row of the audit log; call it last in the transaction. */
  async record(
    manager: EntityManager,
    actor: { readonly id: number; readonly role: number },
    act: { readonly verb: AuditVerb<'token'>; readonly ids: readonly number[] },
  ): Promise<void> {
    await this.audit.record(manager, {
      actorId: actor.id,
      actorRole: actor.role,
      action: `token.${act.verb}`,
      targetType: 'token',
      targetId: act.ids.length === 1 ? (act.ids[0] ?? '') : '',
      ...(act.ids.length === 1 ? {} : { detail: { ids: [...act.ids] } }),
    });
  }

  /** The key in clear, for the owner. */
  keyOf(token: TokenRow): string {
    return this.keys.show(token.id, token.keyEncrypted);
  }

  private announce(ids: readonly number[]): void {
    for (const id of ids) this.feed.announce('token', id);
  }
}
