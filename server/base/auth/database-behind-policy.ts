import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import { ROLE } from '../access/user.codes.js';
import type { AccessLevel } from '../access/access.js';

const RETRY_AFTER_MS = 60_000;

/**
 * Refuses changes while the database was rolled back: bans, passwords and used codes of the lost time are as they were before. Only
 * administrators may change anything, and no sign-in is possible, until an operator has decided.
 */
@Injectable()
export class DatabaseBehindPolicy {
  constructor(private readonly modes: DegradedModes) {}

  /** Fails: DomainError `database_behind`. */
  assertMaySignIn(): void {
    if (this.modes.has('database-behind')) throw new DomainError('database_behind', {}, RETRY_AFTER_MS);
  }

  /**
   * @param role  of the signed-in account; undefined = not signed in
   * Fails: DomainError `database_behind`. Payment services retry later: their order may be among the lost rows.
   */
  assertMayCall({
    level,
    isReading,
    role,
  }: {
    readonly level: AccessLevel;
    readonly isReading: boolean;
    readonly role: number | undefined;
  }): void {
    if (!this.modes.has('database-behind')) return;
    if (level === 'notify' || (!isReading && (role ?? 0) < ROLE.admin)) this.assertMaySignIn();
  }
}
