import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { SecretBox } from '../../../infra/crypto/secret-box.js';
import { type EntityManager, LessThan, Repository } from 'typeorm';
import { PersonalDataTables } from '../../users/personal-data-tables.js';
import { digestOfRecoveryCode } from './recovery-codes.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';
import { twoFactorPlace } from './two-factor-place.js';
import { TwoFactorEntity } from './two-factor.entity.js';

/** Secrets of authenticator apps, sealed, and digests of recovery codes. */
@Injectable()
export class TwoFactorRepository implements OnModuleInit {
  constructor(
    @InjectRepository(TwoFactorEntity) private readonly factors: Repository<TwoFactorEntity>,
    @InjectRepository(RecoveryCodeEntity) private readonly codes: Repository<RecoveryCodeEntity>,
    private readonly personal: PersonalDataTables,
    private readonly secrets: SecretBox,
  ) {}

  onModuleInit(): void {
    this.personal.register(TwoFactorEntity, RecoveryCodeEntity);
  }

  /** The secret of the app, or null when there is none. */
  async findSecret(userId: number): Promise<string | null> {
    const row = await this.factors.findOneBy({ userId });
    return row === null ? null : this.secrets.open('totp', twoFactorPlace(userId), row.secretSealed);
  }

  async isEnabled(userId: number): Promise<boolean> {
    return this.factors.existsBy({ userId });
  }

  /** Fails: duplicate key when the account has one already. */
  async insert(
    manager: EntityManager,
    { secret, ...row }: Omit<TwoFactorEntity, 'secretSealed'> & { readonly secret: string },
  ): Promise<void> {
    const secretSealed = this.secrets.seal('totp', twoFactorPlace(row.userId), secret);
    await manager.getRepository(TwoFactorEntity).insert({ ...row, secretSealed });
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
    codes: readonly string[],
  ): Promise<void> {
    const rows = codes.map((code) => ({ userId, digest: digestOfRecoveryCode(this.secrets, userId, code) }));
    await manager.getRepository(RecoveryCodeEntity).delete({ userId });
    await manager.getRepository(RecoveryCodeEntity).insert(rows);
  }

  /** Uses a code up. @returns false when there is no such code; of many concurrent calls one gets true */
  async takeRecoveryCode(userId: number, code: string): Promise<boolean> {
    const digest = digestOfRecoveryCode(this.secrets, userId, code);
    const result = await this.codes.delete({ userId, digest });
    return result.affected === 1;
  }

  async countRecoveryCodes(userId: number): Promise<number> {
    return this.codes.countBy({ userId });
  }
}
