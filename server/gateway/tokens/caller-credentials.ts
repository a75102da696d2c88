import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type PreparedPart, type RevisedPart, Revisions } from '../../infra/events/revisions.js';
import { ImportedKeyFilter } from './imported-key-filter.js';
import { hashedKeyText } from './imported-tokens.js';
import { parseCredential } from './token-key.js';
import { TokenEntity } from './token.entity.js';
import { TokenKeys } from './token-keys.js';

/** Parse result of a key text. */
export interface KnownCredential {
  readonly digest: string;
  readonly channelId: number | null;
  /** Channel of another gateway that the text names and that is not here; null = none. */
  readonly missingChannel: number | null;
}

/** Reads the texts of keys: those made here by their form alone, imported ones by a filter in memory. */
@Injectable()
export class CallerCredentials implements OnApplicationBootstrap, RevisedPart {
  readonly name = 'imports';
  private filter = new ImportedKeyFilter();

  constructor(
    private readonly keys: TokenKeys,
    private readonly revisions: Revisions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.revisions.follow(this);
  }

  /** Null when the text cannot be a key: no look-up is needed. */
  read(text: string): KnownCredential | null {
    const digestOf = (key: string): string => this.keys.digest(key);
    const imported = this.filter.find(text, digestOf, hashedKeyText);
    if (imported !== null) return imported;
    const parsed = parseCredential(text);
    return parsed === null
      ? null
      : { digest: digestOf(parsed.key), channelId: parsed.channelId, missingChannel: null };
  }

  /** Part of `Revisions`: what was imported. */
  async prepare(manager: EntityManager): Promise<PreparedPart> {
    const filter = new ImportedKeyFilter({
      tokens: await manager
        .getRepository(TokenEntity)
        .createQueryBuilder('token')
        .select('token.keyDigest', 'digest')
        .addSelect('token.importId', 'importId')
        .where('token.importId > 0')
        .andWhere('token.deletedAtMs IS NULL')
        .getRawMany<{ digest: string; importId: number }>(),
      channels: await manager
        .createQueryBuilder()
        .select('row.import_id', 'importId')
        .addSelect('row.source_id', 'from')
        .addSelect('row.target_id', 'to')
        .from('imported_rows', 'row')
        .where(`row.kind = 'channel'`)
        .getRawMany<{ importId: number; from: string; to: number }>(),
    });
    return {
      complaint: null,
      apply: () => {
        this.filter = filter;
      },
    };
  }

  /** An import counts its changes in the transactions that make them. */
  hasDrifted(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
