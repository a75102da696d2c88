import { formatRatio, parseRatio } from '../../common/ratio.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import { DEFAULT_MODEL_OUTPUT_CAP } from './default-prices.js';

type NumberDocument = Readonly<Record<string, number>>;

/** The options prices are made of; the names are those of the option catalogue. */
export interface PriceDocuments {
  readonly ModelRatio: NumberDocument;
  readonly CompletionRatio: NumberDocument;
  readonly CacheRatio: NumberDocument;
  readonly CreateCacheRatio: NumberDocument;
  readonly ImageRatio: NumberDocument;
  readonly AudioRatio: NumberDocument;
  readonly AudioCompletionRatio: NumberDocument;
  readonly ModelPrice: NumberDocument;
  readonly GroupRatio: NumberDocument;
  readonly SelfUseModeEnabled: boolean;
  /** Output tokens a call is assumed to make when nothing else is known. */
  readonly PreConsumedQuota: number;
  /** Quota that stands for one dollar. */
  readonly QuotaPerUnit: number;
}

/** Keys whose change must compile before it is stored. */
export const PRICE_OPTION_KEYS = [
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ModelPrice',
  'GroupRatio',
  'SelfUseModeEnabled',
  'PreConsumedQuota',
  'QuotaPerUnit',
] as const satisfies readonly (keyof PriceDocuments)[];

/** Charged for a model without a price when that is allowed (self-use mode, or the user accepted it). */
export const UNSET_MODEL_RATIO = '37.5';
/** Writing to a prompt cache costs a quarter more than reading the prompt, unless the table says otherwise. */
const DEFAULT_CACHE_WRITE_RATIO = '1.25';
/** Larger ratios and prices are typing mistakes: with a billion tokens they would leave the exact range. */
const LARGEST_RATIO = 1_000_000;
const MAX_REMEMBERED_SNAPSHOTS = 5_000;

type DocumentKey = {
  [Key in keyof PriceDocuments]: PriceDocuments[Key] extends NumberDocument ? Key : never;
}[keyof PriceDocuments];

/** A price document the operator typed that cannot be used; `message` names the option and the entry. */
export class PriceDocumentError extends Error {}

/**
 * Prices of one options revision: compiled once, never changed. Names come from outside, so everything is a Map (G11).
 * Fails: the constructor throws PriceDocumentError naming the first entry that is not a usable number.
 */
export class PriceTable {
  private readonly tables: Readonly<Record<DocumentKey, ReadonlyMap<string, string>>>;
  private readonly outputCaps = new Map(Object.entries(DEFAULT_MODEL_OUTPUT_CAP));
  private readonly snapshots = new Map<string, PriceSnapshot>();
  readonly assumedOutputTokens: number;

  constructor(
    private readonly documents: PriceDocuments,
    private readonly revision: number,
  ) {
    this.tables = {
      ModelRatio: readDocument(documents, 'ModelRatio'),
      CompletionRatio: readDocument(documents, 'CompletionRatio'),
      CacheRatio: readDocument(documents, 'CacheRatio'),
      CreateCacheRatio: readDocument(documents, 'CreateCacheRatio'),
      ImageRatio: readDocument(documents, 'ImageRatio'),
      AudioRatio: readDocument(documents, 'AudioRatio'),
      AudioCompletionRatio: readDocument(documents, 'AudioCompletionRatio'),
      ModelPrice: readDocument(documents, 'ModelPrice'),
      GroupRatio: readDocument(documents, 'GroupRatio'),
    };
    if (!Number.isSafeInteger(documents.QuotaPerUnit) || documents.QuotaPerUnit < 1) {
      throw new PriceDocumentError('QuotaPerUnit must be a whole number of at least 1');
    }
    if (!Number.isSafeInteger(documents.PreConsumedQuota) || documents.PreConsumedQuota < 0) {
      throw new PriceDocumentError('PreConsumedQuota must be a whole number of at least 0');
    }
    this.assumedOutputTokens = documents.PreConsumedQuota;
  }

  /**
   * The frozen prices of a model for a group.
   * @returns undefined when the model has no price and `acceptsUnset` and self-use mode are both off
   */
  snapshot(model: string, group: string, acceptsUnset: boolean): PriceSnapshot | undefined {
    const key = `${group}\n${acceptsUnset ? '1' : '0'}${model}`;
    const known = this.snapshots.get(key);
    if (known !== undefined) return known;
    const made = this.make(model, group, acceptsUnset);
    if (made === undefined) return undefined;
    if (this.snapshots.size >= MAX_REMEMBERED_SNAPSHOTS) this.snapshots.clear();
    this.snapshots.set(key, made);
    return made;
  }

  outputCap(model: string): number | undefined {
    return this.outputCaps.get(model) ?? this.outputCaps.get(sharedModelName(model) ?? model);
  }

  private make(model: string, group: string, acceptsUnset: boolean): PriceSnapshot | undefined {
    const common = {
      model,
      group,
      groupRatio: this.tables.GroupRatio.get(group) ?? '1',
      quotaPerUnit: this.documents.QuotaPerUnit,
      revision: this.revision,
    };
    const price = this.find('ModelPrice', model);
    if (price !== undefined) return Object.freeze({ mode: 'call', ...common, price });
    const modelRatio = this.find('ModelRatio', model);
    if (modelRatio === undefined && !acceptsUnset && !this.documents.SelfUseModeEnabled) return undefined;
    const completionRatio = this.find('CompletionRatio', model) ?? '1';
    const audioRatio = this.find('AudioRatio', model);
    return Object.freeze({
      mode: 'ratio',
      ...common,
      modelRatio: modelRatio ?? UNSET_MODEL_RATIO,
      completionRatio,
      cacheRatio: this.find('CacheRatio', model) ?? '1',
      cacheWriteRatio: this.find('CreateCacheRatio', model) ?? DEFAULT_CACHE_WRITE_RATIO,
      imageRatio: this.find('ImageRatio', model) ?? '1',
      // Without audio prices a model's audio tokens cost what its text tokens cost.
      audioRatio: audioRatio ?? '1',
      audioCompletionRatio: this.find('AudioCompletionRatio', model) ?? completionRatio,
      ...(modelRatio === undefined ? { unset: true as const } : {}),
    });
  }

  private find(document: DocumentKey, model: string): string | undefined {
    const table = this.tables[document];
    const shared = sharedModelName(model);
    return table.get(model) ?? (shared === undefined ? undefined : table.get(shared));
  }
}

const SHARED_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^gpt-4-gizmo-/, 'gpt-4-gizmo-*'],
  [/^gpt-4o-gizmo-/, 'gpt-4o-gizmo-*'],
  [/^gemini-2\.5-pro.*-thinking-\d+$/, 'gemini-2.5-pro-thinking-*'],
  [/^gemini-2\.5-flash-lite.*-thinking-\d+$/, 'gemini-2.5-flash-lite-thinking-*'],
  [/^gemini-2\.5-flash.*-thinking-\d+$/, 'gemini-2.5-flash-thinking-*'],
];

/** The star name under which a family of names is priced; undefined for all other models. */
export function sharedModelName(model: string): string | undefined {
  if (!model.includes('-gizmo-') && !model.includes('-thinking-')) return undefined;
  return SHARED_NAMES.find(([pattern]) => pattern.test(model))?.[1];
}

function readDocument(documents: PriceDocuments, key: DocumentKey): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const [name, value] of Object.entries(documents[key])) {
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0 || value > LARGEST_RATIO) {
      throw new PriceDocumentError(`${key}: "${name}" must be a number from 0 to ${LARGEST_RATIO}`);
    }
    table.set(name, readDecimal(value, key, name));
  }
  return table;
}

function readDecimal(value: number, key: string, name: string): string {
  try {
    return formatRatio(parseRatio(value));
  } catch (cause) {
    throw new PriceDocumentError(`${key}: "${name}" has too many decimal places`, { cause });
  }
}
