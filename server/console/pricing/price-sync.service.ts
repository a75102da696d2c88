import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { OutboundClient } from '../../infra/http-client/outbound-client.js';
import { describeFault } from '../../infra/http-client/upstream-fault.js';
import { serviceTierKey } from '../../base/pricing/service-tiers.js';
import { type OptionKey, optionRow } from '../../base/options/option-catalogue.js';
import { type OptionActor, type OptionInput, OptionsService } from '../../base/options/options.service.js';
import { comparePrices, nameFault } from './compare-prices.js';
import {
  MAX_LIST_BYTES,
  type PriceSync,
  type PriceSyncApply,
  type PriceSyncRequest,
} from './dto/price-sync.dto.js';
import { isDocument } from '../../relay-core/formats/shared/fields/json-fields.js';
import type { ListedPrice, PublishedList } from './listed-price.js';
import type { SyncedKey } from './options-of-price.js';
import { readLiteLlm } from './read-litellm.js';
import { readModelsDev } from './read-models-dev.js';
import { parseJson } from '../../common/parse-json.js';
import { vendorOf } from '../../relay-core/model/model-kind.js';

/** Names in the lists of makers' own services. */
const OWN_PROVIDERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['OpenAI', ['openai', 'text-completion-openai']],
  ['Anthropic', ['anthropic']],
  ['Google', ['google', 'gemini', 'vertex_ai-language-models', 'vertex_ai-image-models']],
  ['DeepSeek', ['deepseek']],
  ['Alibaba', ['alibaba', 'dashscope']],
  ['Zhipu', ['zai', 'zhipuai']],
  ['Moonshot', ['moonshotai', 'moonshot']],
  ['ByteDance', ['volcengine']],
  ['MiniMax', ['minimax']],
  ['xAI', ['xai']],
  ['Mistral', ['mistral', 'codestral']],
  ['Cohere', ['cohere', 'cohere_chat']],
  ['Perplexity', ['perplexity']],
  ['Meta', ['llama', 'meta_llama']],
  ['Jina', ['jina_ai']],
]);

/** Rank of services other than the makers'; the first of equals is taken. */
const DEFAULT_RANK = 500;

const LIMITS = { timeoutMs: 30_000, maxBytes: MAX_LIST_BYTES } as const;
const MAX_ITEMS = 20_000;

/** Prices taken over from published lists: shown as a difference first, stored only as far as they were picked. */
@Injectable()
export class PriceSyncService {
  constructor(
    private readonly options: OptionsService,
    private readonly client: OutboundClient,
  ) {}

  /** Fails: price_list_missing, price_list_unreachable, price_list_unreadable. Stores nothing. */
  async compare(request: PriceSyncRequest): Promise<PriceSync> {
    const list = readList(await this.textOf(request));
    const values = this.options.values();
    const isKnown = (model: string): boolean =>
      Object.hasOwn(values.ModelRatio, model) || Object.hasOwn(values.ModelPrice, model);
    const chosen = chooseListings(list.prices, request.providers, isKnown);
    const items = comparePrices(chosen, values);
    const count = (state: PriceSync['items'][number]['state']): number =>
      items.filter((item) => item.state === state).length;
    return {
      format: list.format,
      counts: {
        added: count('added'),
        changed: count('changed'),
        same: count('same'),
        unsupported: count('unsupported'),
      },
      providers: [...new Set(list.prices.map(({ provider }) => provider))].toSorted(),
      items: items.slice(0, MAX_ITEMS).map((item) => ({ ...item, entries: [...item.entries] })),
    };
  }

  /**
   * Stores what was picked, as one version of the prices.
   * @returns options that differ now
   * Fails: as any change of options; nothing is stored then.
   */
  async apply(actor: OptionActor, { items, note }: PriceSyncApply): Promise<readonly OptionKey[]> {
    const values = this.options.values();
    const documents = new Map<SyncedKey, Record<string, unknown>>();
    for (const { model, entries } of items) {
      const fault = nameFault(model);
      if (fault !== undefined) throw new DomainError('price_list_name', { model, reason: fault });
      for (const { key, listed } of entries) {
        const document = documents.get(key) ?? { ...values[key] };
        if (key === 'ServiceTierRatio') putTiers(document, model, listed);
        else if (listed === null || listed === undefined) delete document[model];
        else document[model] = listed;
        documents.set(key, document);
      }
    }
    const changes = [...documents].map(([key, document]): OptionInput => {
      const row = optionRow(key);
      return { key, value: row.format(document) };
    });
    return this.options.update(actor, changes, { source: 'sync', note });
  }

  private async textOf({ document, url }: PriceSyncRequest): Promise<string> {
    if (document !== '') return document;
    if (url === '') throw new DomainError('price_list_missing');
    const parsed = URL.parse(url);
    if (parsed === null || parsed.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '')
      throw new DomainError('price_list_address');
    const reply = await this.client.fetch(
      'service',
      { method: 'GET', url: parsed.href, headers: { accept: 'application/json' }, body: undefined },
      LIMITS,
    );
    if (!reply.ok) throw new DomainError('price_list_unreachable', { reason: describeFault(reply.error) });
    if (reply.value.status !== 200)
      throw new DomainError('price_list_unreachable', { reason: `HTTP ${reply.value.status}` });
    return reply.value.body.toString('utf8');
  }
}

/** The classes of service of one model, each an entry of its own; those that are not named stay. */
function putTiers(document: Record<string, unknown>, model: string, listed: unknown): void {
  if (!isDocument(listed)) {
    const range = 'an object of classes of service to factors';
    throw new DomainError('option_invalid', { key: 'ServiceTierRatio', range: `${range} (see ${model})` });
  }
  for (const [tier, factor] of Object.entries(listed)) document[serviceTierKey(tier, model)] = factor;
}

function readList(text: string): PublishedList {
  const document = parseJson(text);
  const liteLlm = readLiteLlm(document);
  if (liteLlm !== undefined) return { format: 'litellm', prices: liteLlm };
  const modelsDev = readModelsDev(document);
  if (modelsDev !== undefined) return { format: 'models.dev', prices: modelsDev };
  throw new DomainError('price_list_unreadable');
}

/**
 * Chooses one listing per model: lists name a model once for every service that sells it.
 * @param providers  only listings of these, by their names in the list; empty = the maker's own service; for an unknown maker
 *                   the first seller in the list
 * @param known  models that have a price here: they are compared even if only resellers list them
 */
export function chooseListings(
  list: readonly ListedPrice[],
  providers: readonly string[],
  known: (model: string) => boolean,
): readonly ListedPrice[] {
  const chosen = new Map<string, { readonly price: ListedPrice; readonly rank: number }>();
  for (const price of list) {
    const rank = rankOf(price, providers, known);
    if (rank === undefined) continue;
    const other = chosen.get(price.model);
    if (other === undefined || rank < other.rank) chosen.set(price.model, { price, rank });
  }
  return [...chosen.values()].map(({ price }) => price);
}

/** Smaller is better; undefined = not wanted. */
function rankOf(
  { model, provider, unsupported }: ListedPrice,
  providers: readonly string[],
  known: (model: string) => boolean,
): number | undefined {
  const penalty = unsupported === undefined ? 0 : 1_000;
  if (providers.length > 0) {
    const place = providers.indexOf(provider);
    return place === -1 ? undefined : place + penalty;
  }
  const own = OWN_PROVIDERS.get(vendorOf(model));
  // The maker's own service is unknown: hiding the model would suggest that the list has none.
  if (own === undefined) return DEFAULT_RANK + penalty;
  const place = own.indexOf(provider);
  if (place !== -1) return place + penalty;
  return known(model) && unsupported === undefined ? DEFAULT_RANK : undefined;
}
