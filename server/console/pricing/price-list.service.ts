import { getOrAdd } from '../../common/get-or-add.js';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import { Clock } from '../../common/clock.js';
import { imageFactorsOf } from '../../relay-core/formats/openai-images/rules.js';
import { OptionPriceBook } from '../../base/pricing/option-price-book.js';
import type { PriceTable } from '../../base/pricing/price-table.js';
import { toolKeyOf } from '../../base/pricing/tool-prices.js';
import { ModelOffers } from '../../gateway/channels/state/model-offers.js';
import { DEFAULT_GROUP, usableGroupsOf } from '../../base/options/groups.js';
import { OptionsService } from '../../base/options/options.service.js';
import type { PriceEntry } from './dto/price-list.dto.js';
import { endpointsOf, vendorOf } from '../../relay-core/model/model-kind.js';

/** Which models are served is looked up again after this time, or when a channel changes. */
const OFFERS_MS = 60_000;

/** Members that are the same for every caller. */
type UnboundEntry = Omit<PriceEntry, 'enable_groups' | 'account_group_ratio'>;

interface Listed {
  readonly entry: UnboundEntry;
  readonly groups: readonly string[];
}

/** The price list as an account of a group may see it. */
export interface PriceList {
  readonly entries: readonly PriceEntry[];
  /** Factor of each group the caller may use. */
  readonly groupRatio: Readonly<Record<string, number>>;
  /** Their descriptions. */
  readonly usableGroup: Readonly<Record<string, string>>;
  readonly revision: number;
}

/** Prices of all served models. Made once per revision of the options and reading of the channels. */
@Injectable()
export class PriceListService implements OnApplicationShutdown {
  private readonly stopListening: () => void;
  private groupsOfModels: ReadonlyMap<string, readonly string[]> | undefined;
  private readAtMs = -Infinity;
  private reading: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  private listed: readonly Listed[] = [];
  private listedFor: unknown;
  private listedRevision = Number.NaN;

  constructor(
    private readonly offers: ModelOffers,
    private readonly options: OptionsService,
    private readonly book: OptionPriceBook,
    private readonly clock: Clock,
    feed: ChangeFeed,
  ) {
    this.stopListening = feed.on('channels', () => {
      this.readAtMs = -Infinity;
    });
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }

  /** @param ownGroup  of the account; undefined for guests, who count as the default group */
  async listFor(ownGroup: string | undefined): Promise<PriceList> {
    const accountGroup = ownGroup ?? DEFAULT_GROUP;
    const groups = usableGroupsOf(this.options.values(), accountGroup);
    const listed = await this.all();
    const table = this.book.current();
    const entries = listed.flatMap(({ entry, groups: offered }) => {
      const usable = offered.filter((group) => groups.has(group));
      if (usable.length === 0) return [];
      const agreed = table.modelFactor(accountGroup, entry.model_name);
      const ratio = agreed === undefined ? null : Number(agreed);
      return [{ ...entry, account_group_ratio: ratio, enable_groups: usable }];
    });
    return {
      entries,
      groupRatio: Object.fromEntries([...groups].map(([name, { ratio }]) => [name, ratio])),
      usableGroup: Object.fromEntries([...groups].map(([name, { desc }]) => [name, desc])),
      revision: this.options.revision,
    };
  }

  /** Models that are served and have no price: calls of them are refused, or priced by a guess. */
  async unpriced(): Promise<readonly string[]> {
    const table = this.book.current();
    return [...(await this.readOffers()).keys()].filter((model) => !table.isPriced(model));
  }

  private async all(): Promise<readonly Listed[]> {
    const offers = await this.readOffers();
    const { revision } = this.options;
    if (this.listedFor !== offers || this.listedRevision !== revision) {
      const table = this.book.current();
      this.listed = [...offers].flatMap(([model, groups]) => {
        const entry = entryOf(table, model);
        return entry === undefined ? [] : [{ entry, groups }];
      });
      this.listedFor = offers;
      this.listedRevision = revision;
    }
    return this.listed;
  }

  /** Groups by model, sorted by model. */
  private readOffers(): Promise<ReadonlyMap<string, readonly string[]>> {
    const nowMs = this.clock.monotonicMs();
    if (this.groupsOfModels !== undefined && nowMs - this.readAtMs < OFFERS_MS)
      return Promise.resolve(this.groupsOfModels);
    this.reading ??= this.load().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async load(): Promise<ReadonlyMap<string, readonly string[]>> {
    // A change that arrives while the rows are read makes them old at once.
    this.readAtMs = this.clock.monotonicMs();
    const groups = new Map<string, string[]>();
    for (const { model, group } of await this.offers.all()) getOrAdd(groups, model, () => []).push(group);
    this.groupsOfModels = groups;
    return groups;
  }
}

function entryOf(table: PriceTable, model: string): UnboundEntry | undefined {
  const snapshot = table.snapshot(model, DEFAULT_GROUP, true, { tools: [] });
  if (snapshot === undefined) return undefined;
  const tools = Object.entries(snapshot.tools ?? {}).map(([name, price]) => [
    toolKeyOf(snapshot, name),
    Number(price),
  ]);
  const endpoints = endpointsOf(model);
  return {
    model_name: model,
    owner_by: '',
    ...ratiosOf(snapshot),
    tool_prices: endpoints.includes('openai') ? (Object.fromEntries(tools) as Record<string, number>) : {},
    service_tiers: numbersOf(snapshot.mode === 'ratio' ? snapshot.serviceTiers : undefined),
    picture_factors:
      snapshot.mode === 'call'
        ? imageFactorsOf(model).map(({ name, ratio }) => ({ name, ratio: Number(ratio) }))
        : [],
    is_price_unset: snapshot.mode === 'ratio' && snapshot.unset === true,
    supported_endpoint_types: [...endpoints],
    vendor: vendorOf(model),
  };
}

const numbersOf = (texts: Readonly<Record<string, string>> = {}): Record<string, number> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]));

type Ratios = Pick<
  PriceEntry,
  | 'quota_type'
  | 'model_ratio'
  | 'model_price'
  | 'completion_ratio'
  | 'cache_ratio'
  | 'create_cache_ratio'
  | 'image_ratio'
  | 'image_completion_ratio'
  | 'reasoning_ratio'
  | 'audio_ratio'
  | 'audio_completion_ratio'
  | 'long_context'
>;

function ratiosOf(snapshot: PriceSnapshot): Ratios {
  if (snapshot.mode === 'call') {
    return {
      quota_type: 1,
      model_price: Number(snapshot.price),
      model_ratio: 0,
      completion_ratio: 0,
      cache_ratio: 0,
      create_cache_ratio: 0,
      image_ratio: 0,
      image_completion_ratio: 0,
      reasoning_ratio: 0,
      audio_ratio: 0,
      audio_completion_ratio: 0,
      long_context: [],
    };
  }
  return {
    quota_type: 0,
    model_price: 0,
    model_ratio: Number(snapshot.modelRatio),
    completion_ratio: Number(snapshot.completionRatio),
    cache_ratio: Number(snapshot.cacheRatio),
    create_cache_ratio: Number(snapshot.cacheWriteRatio),
    image_ratio: Number(snapshot.imageRatio),
    image_completion_ratio: Number(snapshot.imageOutputRatio ?? snapshot.completionRatio),
    reasoning_ratio: Number(snapshot.reasoningRatio ?? snapshot.completionRatio),
    audio_ratio: Number(snapshot.audioRatio),
    audio_completion_ratio: Number(snapshot.audioCompletionRatio),
    long_context: (snapshot.tiers ?? []).map(({ above, input, output }) => ({
      above,
      input: Number(input),
      output: Number(output),
    })),
  };
}
