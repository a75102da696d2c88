import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { PersonalDataTables } from '../../base/users/personal-data-tables.js';
import { PasskeyEntity } from './passkey.entity.js';

export type NewPasskey = Omit<PasskeyEntity, 'id' | 'createdAtMs' | 'lastUsedAtMs'>;

@Injectable()
export class PasskeysRepository implements OnModuleInit {
  constructor(
    @InjectRepository(PasskeyEntity) private readonly rows: Repository<PasskeyEntity>,
    private readonly personal: PersonalDataTables,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.personal.register(PasskeyEntity);
  }

  async listOf(userId: number, manager: EntityManager = this.rows.manager): Promise<PasskeyEntity[]> {
    return manager.getRepository(PasskeyEntity).find({ where: { userId }, order: { id: 'ASC' } });
  }

  async countOf(userId: number): Promise<number> {
    return this.rows.countBy({ userId });
  }

  async findByCredential(credentialDigest: string): Promise<PasskeyEntity | null> {
    return this.rows.findOneBy({ credentialDigest });
  }

  /** Fails: duplicate key when the credential is known. */
  async insert(manager: EntityManager, passkey: NewPasskey): Promise<void> {
    const times = { createdAtMs: this.clock.nowMs(), lastUsedAtMs: 0 };
    await manager.getRepository(PasskeyEntity).insert({ ...passkey, ...times });
  }

  /** @returns false when the user has no such passkey */
  async rename(userId: number, id: number, name: string): Promise<boolean> {
    const result = await this.rows.update({ userId, id }, { name });
    return result.affected === 1;
  }

  /** @returns false when the user has no such passkey */
  async delete(manager: EntityManager, userId: number, id: number): Promise<boolean> {
    const result = await manager.getRepository(PasskeyEntity).delete({ userId, id });
    return result.affected === 1;
  }

  /** @returns how many there were */
  async deleteAllOf(manager: EntityManager, userId: number): Promise<number> {
    const result = await manager.getRepository(PasskeyEntity).delete({ userId });
    return result.affected ?? 0;
  }

  /**
   * Writes down a use.
   * @returns false when the counter did not grow: another use came first, or the passkey was copied
   */
  async recordUse(
    id: number,
    { counter, isSynced }: { readonly counter: number; readonly isSynced: boolean },
  ): Promise<boolean> {
    const result = await this.rows
      .createQueryBuilder()
      .update()
      .set({ counter, isSynced, lastUsedAtMs: this.clock.nowMs() })
      .where('id = :id AND (counter < :counter OR (counter = 0 AND :counter = 0))', { id, counter })
      .execute();
    return result.affected === 1;
  }
}
