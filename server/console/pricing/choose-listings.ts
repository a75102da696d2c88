import type { ListedPrice } from './listed-price.js';
import { vendorOf } from '../../relay-core/model/model-kind.js';

/** What the lists call the service a maker itself sells its models by. */
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

/** Rank of services that are nobody's own; the first of equals is taken. */
const DEFAULT_RANK = 500;

/**
 * One listing per model: lists name a model once for every service that sells it.
 * @param providers  only listings of these, as the list calls them; empty = the maker's own service; of a maker nobody here knows
 *                   whoever the list names first
 * @param known  models that have a price here: they are compared even where only resellers list them
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
  // Nobody can tell whose service would be the maker's own: hiding the model would say that the list has none.
  if (own === undefined) return DEFAULT_RANK + penalty;
  const place = own.indexOf(provider);
  if (place !== -1) return place + penalty;
  return known(model) && unsupported === undefined ? DEFAULT_RANK : undefined;
}
