import { ModelFactors } from './model-factors.js';
import { readNumbers } from './read-price-document.js';

type NumberDocument = Readonly<Record<string, number>>;
type FactorsByGroup = Readonly<Record<string, NumberDocument>>;

export interface GroupFactor {
  /** Exact decimal. */
  readonly groupRatio: string;
  /** Set when the factor is the one agreed for accounts of this group. */
  readonly userGroup?: string;
  /** The entry of `GroupModelRatio` it comes from, as the operator wrote it. */
  readonly modelPattern?: string;
}

/**
 * Price factors of groups. What is agreed between the group of the account and a model counts first, then what is agreed between it
 * and the group of the call, then the latter's own; a group nobody named counts 1. They replace each other and are never multiplied.
 */
export class GroupPrices {
  private readonly own: ReadonlyMap<string, string>;
  private readonly agreed = new Map<string, ReadonlyMap<string, string>>();
  private readonly models = new Map<string, ModelFactors>();

  constructor(groups: NumberDocument, agreed: FactorsByGroup, models: FactorsByGroup = {}) {
    this.own = readNumbers(groups, 'GroupRatio');
    for (const [userGroup, factors] of Object.entries(agreed))
      this.agreed.set(userGroup, readNumbers(factors, `GroupGroupRatio: "${userGroup}"`));
    for (const [userGroup, factors] of Object.entries(models))
      if (Object.keys(factors).length > 0) this.models.set(userGroup, new ModelFactors(userGroup, factors));
  }

  /** Whether factors depend on the group of the account, too. */
  get hasAgreed(): boolean {
    return this.agreed.size > 0 || this.models.size > 0;
  }

  /** The group of the account where it may have a factor of its own for calls in `group`; empty otherwise. */
  special(userGroup: string, group: string): string {
    if (this.models.size > 0 && this.models.has(userGroup)) return userGroup;
    if (this.agreed.size === 0) return '';
    return this.agreed.get(userGroup)?.has(group) === true ? userGroup : '';
  }

  factor(userGroup: string, group: string, model: string): GroupFactor {
    const ofModel = this.ofModel(userGroup, model);
    if (ofModel !== undefined)
      return { groupRatio: ofModel.factor, userGroup, modelPattern: ofModel.pattern };
    const agreed = this.agreed.get(userGroup)?.get(group);
    if (agreed !== undefined) return { groupRatio: agreed, userGroup };
    return { groupRatio: this.own.get(group) ?? '1' };
  }

  /** What accounts of a group pay for a model in whatever group they call it; undefined = what the group costs. */
  ofModel(userGroup: string, model: string): ReturnType<ModelFactors['of']> {
    return this.models.get(userGroup)?.of(model);
  }
}
