import { readNumbers } from './read-price-document.js';

type NumberDocument = Readonly<Record<string, number>>;

export interface GroupFactor {
  /** Exact decimal. */
  readonly groupRatio: string;
  /** Set when the factor is the one agreed for accounts of this group. */
  readonly userGroup?: string;
}

/**
 * Price factors of groups. A factor agreed between the group of the account and the group of the call replaces the latter's own
 * (relay reference 4.2); a group nobody named counts 1.
 */
export class GroupPrices {
  private readonly own: ReadonlyMap<string, string>;
  private readonly agreed = new Map<string, ReadonlyMap<string, string>>();

  constructor(groups: NumberDocument, agreed: Readonly<Record<string, NumberDocument>>) {
    this.own = readNumbers(groups, 'GroupRatio');
    for (const [userGroup, factors] of Object.entries(agreed))
      this.agreed.set(userGroup, readNumbers(factors, `GroupGroupRatio: "${userGroup}"`));
  }

  get hasAgreed(): boolean {
    return this.agreed.size > 0;
  }

  /** The group of the account where it has a factor of its own for `group`; empty otherwise. */
  special(userGroup: string, group: string): string {
    if (this.agreed.size === 0) return '';
    return this.agreed.get(userGroup)?.has(group) === true ? userGroup : '';
  }

  factor(userGroup: string, group: string): GroupFactor {
    const agreed = this.agreed.get(userGroup)?.get(group);
    if (agreed !== undefined) return { groupRatio: agreed, userGroup };
    return { groupRatio: this.own.get(group) ?? '1' };
  }
}
