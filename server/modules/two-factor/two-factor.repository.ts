import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, LessThan, Repository } from 'typeorm';
import { PersonalRecords } from '../accounts/personal-records.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';
import { TwoFactorEntity } from './two-factor.entity.js';

@Injectable()
export class TwoFactorRepository implements OnModuleInit {
  constructor(
    @InjectRepository(TwoFactorEntity) private readonly factors: Repository<TwoFactorEntity>,
    @InjectRepository(RecoveryCodeEntity) private readonly codes: Repository<RecoveryCodeEntity>,
    private readonly personal: PersonalRecords,
  ) {}

  onModuleInit(): void {
    this.personal.register(TwoFactorEntity, RecoveryCodeEntity);
  }

  async find(userId: number): Promise<TwoFactorEntity | null> {
    return this.factors.findOneBy({ userId });
  }

  async isEnabled(userId: number): Promise<boolean> {
    return this.factors.existsBy({ userId });
  }

  /** Fails: duplicate key when the account has one already. */
  async insert(manager: EntityManager, row: TwoFactorEntity): Promise<void> {
    await manager.getRepository(TwoFactorEntity).insert(row);
  }

  /** Marks a time step as used. @returns false when it, or a later one, was used before (by whichever instance) */
  async claimStep(userId: number, step: number): Promise<boolean> {
    const result = await this.factors.update({ userId, lastStep: LessThan(step) }, { lastStep: step });
    return result.affected === 1;
  }

  /** @returns false when codes were not on */
  async remove(manager: EntityManager, userId: number): Promise<boolean> {
    await manager.getRepository(RecoveryCodeEntity).delete({ userId });
    const result = await manager.getRepository(TwoFactorEntity).delete({ userId });
    return result.affected === 1;
  }

  async replaceRecoveryCodes(
    manager: EntityManager,
    userId: number,
    digests: readonly string[],
  ): Promise<void> {
    await manager.getRepository(RecoveryCodeEntity).delete({ userId });
    await manager.getRepository(RecoveryCodeEntity).insert(digests.map((digest) => ({ userId, digest })));
  }

  /** Uses a code up. @returns false when there is none such: of many at once, one is told true */
  async takeRecoveryCode(userId: number, digest: string): Promise<boolean> {
    const result = await this.codes.delete({ userId, digest });
    return result.affected === 1;
  }

  async countRecoveryCodes(userId: number): Promise<number> {
    return this.codes.countBy({ userId });
  }
}
