import type { VendorTool } from '../../relay-core/model/call.js';
import { familyOfModel } from '../../relay-core/model/model-family.js';
import type { LengthTier, PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import { completionRatioByName } from './defaults/completion-rules.js';
import { DEFAULT_MODEL_OUTPUT_CAP } from './defaults/default-prices.js';
import { readTiers, type LengthTierDocument } from './length-tiers.js';
import { PriceDocumentError, readNumbers } from './read-price-document.js';
import { ServiceTiers } from './service-tiers.js';
import { ToolPrices } from './tool-prices.js';
import { ModelFactors } from './model-factors.js';

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
 * Price factors of groups. The factor agreed between the group of the account and a model counts first, then the one between it and
 * the group of the call, then the latter's own; a group without an entry counts 1. They replace each other and are never
 * multiplied.
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

  /** True when factors depend on the group of the account, too. */
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

  /** Factor accounts of a group pay for a model whatever group they call it in; undefined = that of the group. */
  ofModel(userGroup: string, model: string): ReturnType<ModelFactors['of']> {
    return this.models.get(userGroup)?.of(model);
  }
}

export { PriceDocumentError } from './read-price-document.js';

/** The options prices are made of; the names are those of the option catalogue. */
export interface PriceDocuments {
  readonly ModelRatio: NumberDocument;
  readonly CompletionRatio: NumberDocument;
  readonly CacheRatio: NumberDocument;
  readonly CreateCacheRatio: NumberDocument;
  readonly CreateCache1hRatio?: NumberDocument;
  readonly ImageRatio: NumberDocument;
  readonly ImageCompletionRatio?: NumberDocument;
  readonly ReasoningRatio?: NumberDocument;
  readonly AudioRatio: NumberDocument;
  readonly AudioCompletionRatio: NumberDocument;
  readonly ModelPrice: NumberDocument;
  readonly GroupRatio: NumberDocument;
  /** Group of the account → group of the call → factor instead of the group's own. */
  readonly GroupGroupRatio?: Readonly<Record<string, NumberDocument>>;
  /** Group of the account → model or pattern of names → factor instead of any group's. */
  readonly GroupModelRatio?: Readonly<Record<string, NumberDocument>>;
  /** Model → other prices for long calls. */
  readonly LongContextRatio?: LengthTierDocument;
  /** Class of service (and model) → factor of what tokens cost in it. */
  readonly ServiceTierRatio?: NumberDocument;
  /** Tool (and size, and model) → dollars per thousand uses. */
  readonly 'tool_price_setting.prices'?: NumberDocument;
  readonly SelfUseModeEnabled: boolean;
  /** Output tokens a call is assumed to make when nothing else is known. */
  readonly PreConsumedQuota: number;
  /** Quota that stands for one dollar. */
  readonly QuotaPerUnit: number;
}

/** Options with a value for each model. */
export const MODEL_FIGURE_KEYS = [
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'CreateCache1hRatio',
  'ImageRatio',
  'ImageCompletionRatio',
  'ReasoningRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ModelPrice',
] as const satisfies readonly (keyof PriceDocuments)[];

/** Keys whose change must compile before it is stored. */
export const PRICE_OPTION_KEYS = [
  ...MODEL_FIGURE_KEYS,
  'GroupRatio',
  'GroupGroupRatio',
  'GroupModelRatio',
  'LongContextRatio',
  'ServiceTierRatio',
  'tool_price_setting.prices',
  'SelfUseModeEnabled',
  'PreConsumedQuota',
  'QuotaPerUnit',
] as const satisfies readonly (keyof PriceDocuments)[];

/** Charged for a model without a price when that is allowed (self-use mode, or the user accepted it). */
const UNSET_MODEL_RATIO = '37.5';
/** Writing to a prompt cache costs a quarter more than reading the prompt, unless the table says otherwise. */
const DEFAULT_CACHE_WRITE_RATIO = '1.25';
const MAX_REMEMBERED_SNAPSHOTS = 5_000;

/** Properties of a call its prices depend on, beyond model and group. */
export interface PricedCall {
  /** Group of the account; undefined = that of the call. */
  readonly userGroup?: string | undefined;
  /** Undefined = no tools can be used (embeddings, images, audio). */
  readonly tools?: readonly VendorTool[] | undefined;
  /** The answer consists of images: output that no report calls an image counts and costs as one all the same. */
  readonly makesPictures?: boolean;
}

type DocumentKey = (typeof MODEL_FIGURE_KEYS)[number];

/**
 * Prices of one options revision: compiled once, never changed. Names come from outside, so everything is a Map.
 * Fails: the constructor throws PriceDocumentError naming the first entry that is not a usable number.
 */
export class PriceTable {
  private readonly tables: Readonly<Record<DocumentKey, ReadonlyMap<string, string>>>;
  private readonly groups: GroupPrices;
  private readonly tiers: ReadonlyMap<string, readonly LengthTier[]>;
  private readonly serviceTiers: ServiceTiers;
  private readonly toolPrices: ToolPrices;
  private readonly outputCaps = new Map(Object.entries(DEFAULT_MODEL_OUTPUT_CAP));
  private readonly snapshots = new Map<string, PriceSnapshot>();
  readonly assumedOutputTokens: number;

  constructor(
    private readonly documents: PriceDocuments,
    private readonly revision: number,
  ) {
    const tables = MODEL_FIGURE_KEYS.map((key) => [key, readNumbers(documents[key] ?? {}, key)] as const);
    this.tables = Object.fromEntries(tables) as Record<DocumentKey, ReadonlyMap<string, string>>;
    this.groups = new GroupPrices(
      documents.GroupRatio,
      documents.GroupGroupRatio ?? {},
      documents.GroupModelRatio ?? {},
    );
    this.tiers = readTiers(documents.LongContextRatio ?? {});
    this.serviceTiers = new ServiceTiers(documents.ServiceTierRatio ?? {});
    const tools = documents['tool_price_setting.prices'] ?? {};
    readNumbers(tools, 'tool_price_setting.prices');
    this.toolPrices = new ToolPrices(tools);
    if (!Number.isSafeInteger(documents.QuotaPerUnit) || documents.QuotaPerUnit < 1) {
      throw new PriceDocumentError('QuotaPerUnit must be a whole number of at least 1');
    }
    if (!Number.isSafeInteger(documents.PreConsumedQuota) || documents.PreConsumedQuota < 0) {
      throw new PriceDocumentError('PreConsumedQuota must be a whole number of at least 0');
    }
    this.assumedOutputTokens = documents.PreConsumedQuota;
  }

  /**
   * The frozen prices of a model for a group. Equal questions get the same object.
   * @returns undefined when the model has no price and `acceptsUnset` and self-use mode are both off
   */
  snapshot(
    model: string,
    group: string,
    acceptsUnset: boolean,
    call: PricedCall = {},
  ): PriceSnapshot | undefined {
    const agreed = this.groups.special(call.userGroup ?? group, group);
    const flags = `${acceptsUnset ? '1' : '0'}${call.makesPictures === true ? '1' : '0'}`;
    const key = `${group}\n${agreed}\n${toolsKey(call.tools)}\n${flags}${model}`;
    const known = this.snapshots.get(key);
    if (known !== undefined) return known;
    const made = this.make(model, group, acceptsUnset, call);
    if (made === undefined) return undefined;
    if (this.snapshots.size >= MAX_REMEMBERED_SNAPSHOTS) this.snapshots.clear();
    this.snapshots.set(key, made);
    return made;
  }

  /** True when calls of a model can be quoted: it has a price, or needs none. */
  hasPrice(model: string, acceptsUnset: boolean): boolean {
    return acceptsUnset || this.documents.SelfUseModeEnabled || this.isPriced(model);
  }

  /** True when the operator (or the built-in table) set a price; otherwise it is a guess. */
  isPriced(model: string): boolean {
    return this.find('ModelPrice', model) !== undefined || this.find('ModelRatio', model) !== undefined;
  }

  /** True when factors depend on the group of the account, too. */
  get hasAgreedFactors(): boolean {
    return this.groups.hasAgreed;
  }

  /** Factor accounts of a group pay for a model whatever group they call it in; undefined = that of the group. */
  modelFactor(userGroup: string, model: string): string | undefined {
    return this.groups.ofModel(userGroup, model)?.factor;
  }

  outputCap(model: string): number | undefined {
    return entryOf(this.outputCaps, model);
  }

  private make(
    model: string,
    group: string,
    acceptsUnset: boolean,
    call: PricedCall,
  ): PriceSnapshot | undefined {
    const common = {
      model,
      group,
      ...this.groups.factor(call.userGroup ?? group, group, model),
      quotaPerUnit: this.documents.QuotaPerUnit,
      revision: this.revision,
      ...(call.tools === undefined ? {} : this.toolPrices.ofCall(model, call.tools)),
    };
    const price = this.find('ModelPrice', model);
    if (price !== undefined) return Object.freeze({ mode: 'call', ...common, price });
    const modelRatio = this.find('ModelRatio', model);
    if (modelRatio === undefined && !acceptsUnset && !this.documents.SelfUseModeEnabled) return undefined;
    const imageOutput = this.find('ImageCompletionRatio', model);
    const imageOutputRatio = call.makesPictures === true ? undefined : imageOutput;
    const completionRatio =
      (call.makesPictures === true ? imageOutput : undefined) ??
      this.find('CompletionRatio', model) ??
      completionRatioByName(model);
    const reasoningRatio = this.find('ReasoningRatio', model);
    const cacheWrite1hRatio = this.find('CreateCache1hRatio', model);
    const tiers = entryOf(this.tiers, model);
    const serviceTiers = this.serviceTiers.of(model);
    return Object.freeze({
      mode: 'ratio',
      ...common,
      modelRatio: modelRatio ?? UNSET_MODEL_RATIO,
      completionRatio,
      cacheRatio: this.find('CacheRatio', model) ?? '1',
      cacheWriteRatio: this.find('CreateCacheRatio', model) ?? DEFAULT_CACHE_WRITE_RATIO,
      ...(cacheWrite1hRatio === undefined ? {} : { cacheWrite1hRatio }),
      imageRatio: this.find('ImageRatio', model) ?? '1',
      ...(reasoningRatio === undefined ? {} : { reasoningRatio }),
      ...(imageOutputRatio === undefined ? {} : { imageOutputRatio }),
      ...(call.makesPictures === true ? { makesPictures: true as const } : {}),
      // Without audio prices a model's audio tokens cost what its text tokens cost.
      audioRatio: this.find('AudioRatio', model) ?? '1',
      audioCompletionRatio: this.find('AudioCompletionRatio', model) ?? completionRatio,
      ...(serviceTiers === undefined ? {} : { serviceTiers }),
      ...(tiers === undefined ? {} : { tiers }),
      ...(modelRatio === undefined ? { unset: true as const } : {}),
    });
  }

  private find(document: DocumentKey, model: string): string | undefined {
    return entryOf(this.tables[document], model);
  }
}

/** The entry of a model, else the one of its family (`gpt-4-gizmo-*`). */
const entryOf = <T>(entries: ReadonlyMap<string, T>, model: string): T | undefined =>
  entries.get(model) ?? entries.get(familyOfModel(model));

/** Key of a set of tools with the same prices. */
function toolsKey(tools: readonly VendorTool[] | undefined): string {
  if (tools === undefined) return '-';
  if (tools.length === 0) return '';
  return tools.map((tool) => `${tool.name}@${tool.contextSize ?? ''}@${tool.priceKey ?? ''}`).join(' ');
}
