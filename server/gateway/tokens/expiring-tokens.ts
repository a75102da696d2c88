import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Between, DataSource, IsNull } from 'typeorm';
import { TOKEN_STATUS } from './token.codes.js';
import { TokenEntity } from './token.entity.js';

/** Tokens that work now and expire soon. */
@Injectable()
export class ExpiringTokens {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Tokens of one account that expire within a span, the first to expire first.
   * @param span.fromSeconds  inclusive, as is `toSeconds`
   */
  async of(
    userId: number,
    { fromSeconds, toSeconds }: { readonly fromSeconds: number; readonly toSeconds: number },
    limit: number,
  ): Promise<readonly Pick<TokenEntity, 'id' | 'name' | 'expiredTime'>[]> {
    return this.dataSource.getRepository(TokenEntity).find({
      select: { id: true, name: true, expiredTime: true },
      where: {
        userId,
        status: TOKEN_STATUS.enabled,
        lockedAtMs: IsNull(),
        deletedAtMs: IsNull(),
        expiredTime: Between(fromSeconds, toSeconds),
      },
      order: { expiredTime: 'ASC', id: 'ASC' },
      take: limit,
    });
  }
}
