import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import { ROLE } from '../access/user.codes.js';
import type { AccessLevel } from '../access/access.js';

const RETRY_AFTER_MS = 60_000;

/**
 * What is refused while the database has lost what was already seen of it: bans, passwords and used codes of that time are as they were
 * before. Whoever is not known to look after the gateway changes nothing, and nobody signs in, until an operator has decided.
 */
@Injectable()
export class DatabaseBehindPolicy {
  constructor(private readonly modes: DegradedModes) {}

  /** Fails: DomainError `database_behind`. */
  assertMaySignIn(): void {
    if (this.modes.has('database-behind')) throw new DomainError('database_behind', {}, RETRY_AFTER_MS);
  }

  /**
   * @param role  of whoever is signed in; undefined = nobody
   * Fails: DomainError `database_behind`. Payment services come again later: an order they speak of may be among what was lost.
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
