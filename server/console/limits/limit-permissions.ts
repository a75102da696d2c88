import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../../base/access/current-actor.js';
import { ROLE } from '../../base/access/user.codes.js';
import { LIMIT_SCOPES, type LimitScope } from '../../base/limits/limit-definition.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import { OptionsService } from '../../base/options/options.service.js';
import { refusalFor } from '../../base/users/may-act-on.js';
import { LimitSubjects, unknownSubject } from './limit-subjects.js';

type Target = Pick<LimitEntity, 'scope' | 'subject' | 'accountId' | 'each'>;

/** Scopes that an account sets for itself. */
const OWN_SCOPES: readonly LimitScope[] = ['token', 'end_user'];

/** Rights to set limits (docs/limits.md). */
@Injectable()
export class LimitPermissions {
  constructor(
    private readonly options: OptionsService,
    private readonly subjects: LimitSubjects,
  ) {}

  /** Scopes of limits that an account may set. */
  scopesOf(actor: Pick<Actor, 'role'>): readonly LimitScope[] {
    return this.isAdministrator(actor) ? LIMIT_SCOPES : OWN_SCOPES;
  }

  /** True for root, and for administrators with the section `limits`; other administrators set limits as users do. */
  isAdministrator({ role }: Pick<Actor, 'role'>): boolean {
    if (role >= ROLE.root) return true;
    return role >= ROLE.admin && this.options.values().AdministratorSections.includes('limits');
  }

  /** True for accounts that read the limits of all accounts. */
  readsAll({ role }: Pick<Actor, 'role'>): boolean {
    return role >= ROLE.admin;
  }

  /**
   * @returns true when the limit is one of the account's own, beside those that others set.
   * Fails: not_permitted; user_out_of_reach; limit_subject_unknown.
   */
  async assertMaySet(actor: Actor, target: Target): Promise<boolean> {
    if (!this.isAdministrator(actor)) {
      if (!OWN_SCOPES.includes(target.scope) || (target.each && target.scope === 'token'))
        throw new DomainError('not_permitted');
      // To users, tokens of other accounts are as missing as those that do not exist.
      const owner = await this.subjects.ownerOf(target).catch(() => undefined);
      if (owner?.id !== actor.id) throw unknownSubject(target);
      return true;
    }
    const owner = await this.subjects.ownerOf(target);
    if (owner === undefined) return false;
    const refusal = refusalFor('edit', actor, owner);
    if (refusal !== null) throw new DomainError(refusal);
    return owner.id === actor.id && actor.role < ROLE.root;
  }

  /** Fails: limit_not_yours, when others set it on the account itself; not_found, not_permitted, user_out_of_reach. */
  async assertMayChange(actor: Actor, limit: LimitEntity): Promise<void> {
    const refusal = await this.refusalOfChange(actor, limit);
    if (refusal !== undefined) throw refusal;
  }

  /** @returns why the account may not change the limit; undefined = it may */
  async refusalOfChange(actor: Actor, limit: LimitEntity): Promise<DomainError | undefined> {
    if (actor.role >= ROLE.root) return undefined;
    const owner = await this.subjects.ownerOf(limit).catch(() => undefined);
    if (owner?.id === actor.id) return limit.byUser ? undefined : new DomainError('limit_not_yours');
    // To users, limits of other accounts are as missing as those that do not exist.
    if (!this.isAdministrator(actor))
      return new DomainError(this.readsAll(actor) ? 'not_permitted' : 'not_found');
    if (owner === undefined) return undefined;
    const refusal = refusalFor('edit', actor, owner);
    return refusal === null ? undefined : new DomainError(refusal);
  }
}
