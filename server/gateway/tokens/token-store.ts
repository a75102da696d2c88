import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { TokenKeys } from './token-keys.js';
import { type NewToken, type TokenRow, TokensRepository } from './tokens.repository.js';

/** Changes tokens in transactions, keeps their keys sealed, and tells every instance. */
@Injectable()
export class TokenStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: TokensRepository,
    private readonly keys: TokenKeys,
    private readonly feed: ChangeFeed,
  ) {}

  /** One transaction; whoever caches these tokens hears of it once it is committed. */
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

  /** The key in clear, for the owner. */
  keyOf(token: TokenRow): string {
    return this.keys.show(token.id, token.keyEncrypted);
  }

  private announce(ids: readonly number[]): void {
    for (const id of ids) this.feed.announce('token', id);
  }
}
