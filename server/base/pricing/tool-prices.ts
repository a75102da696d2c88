import { formatRatio, parseRatio } from '../../common/ratio.js';
import type { VendorTool } from '../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';

type ContextSize = NonNullable<VendorTool['contextSize']>;

/** `tool`, `tool@size`, `tool:model`, `tool@size:model-prefix*`: dollars per thousand uses. */
export const TOOL_PRICE_KEY = /^[a-z0-9_-]{1,64}(@(low|medium|high))?(:[^\s*]{0,200}\*?)?$/;

export const DEFAULT_TOOL_PRICES: Readonly<Record<string, number>> = {
  web_search: 10,
  web_search_preview: 10,
  'web_search_preview:gpt-4o*': 25,
  'web_search_preview:gpt-4.1*': 25,
  file_search: 2.5,
  google_search: 14,
  image_generation: 150,
  'web_search@low:sonar*': 5,
  'web_search@medium:sonar*': 8,
  'web_search@high:sonar*': 12,
  'web_search@low:sonar-pro*': 6,
  'web_search@medium:sonar-pro*': 10,
  'web_search@high:sonar-pro*': 14,
  'web_search@low:sonar-reasoning-pro*': 6,
  'web_search@medium:sonar-reasoning-pro*': 10,
  'web_search@high:sonar-reasoning-pro*': 14,
};

const SEARCH = 'web-search';

/** Price key of each tool; searches of some models have another. */
const USUAL_KEYS: ReadonlyMap<string, string> = new Map([
  [SEARCH, 'web_search'],
  ['web-fetch', 'web_fetch'],
  ['file-search', 'file_search'],
  ['image-generation', 'image_generation'],
  ['code-execution', 'code_interpreter'],
]);

/** Models that search for every answer, asked or not, and what that is priced as. */
const SEARCHING: readonly { readonly names: RegExp; readonly key: string; readonly size: ContextSize }[] = [
  { names: /-search-preview(-\d{4}-\d{2}-\d{2})?$/, key: 'web_search_preview', size: 'medium' },
  { names: /-search-api(-\d{4}-\d{2}-\d{2})?$/, key: 'web_search', size: 'medium' },
  { names: /^sonar(-pro|-reasoning|-reasoning-pro)?$/, key: 'web_search', size: 'low' },
];

interface Entry {
  readonly size: string | undefined;
  /** Undefined = every model. */
  readonly model: string | undefined;
  readonly isPrefix: boolean;
  /** Exact decimal. */
  readonly price: string;
}

export interface ToolPricesOfCall {
  readonly tools?: Readonly<Record<string, string>>;
  readonly toolsEachCall?: readonly string[];
  readonly toolTerms?: Readonly<Record<string, string>>;
}

const NONE: ToolPricesOfCall = {};

/**
 * Prices of the tools vendors run, compiled from the option document.
 * Fails: the constructor throws RangeError for a price that is no decimal.
 */
export class ToolPrices {
  private readonly byKey = new Map<string, Entry[]>();

  constructor(document: Readonly<Record<string, number>>) {
    for (const [text, price] of Object.entries(document)) {
      const colon = text.indexOf(':');
      const [key = '', size] = (colon === -1 ? text : text.slice(0, colon)).split('@');
      const model = colon === -1 ? undefined : text.slice(colon + 1);
      const entries = this.byKey.get(key) ?? [];
      entries.push({
        size,
        model: model?.endsWith('*') === true ? model.slice(0, -1) : model,
        isPrefix: model?.endsWith('*') === true,
        price: formatRatio(parseRatio(price)),
      });
      this.byKey.set(key, entries);
    }
  }

  /** Tool prices of one call, by neutral name; tools that cost nothing are left out. */
  ofCall(model: string, asked: readonly VendorTool[] | undefined): ToolPricesOfCall {
    if (this.byKey.size === 0) return NONE;
    const searching = searchingBy(model);
    const tools: Record<string, string> = {};
    const terms: Record<string, string> = {};
    for (const name of USUAL_KEYS.keys()) {
      const tool = asked?.find((candidate) => candidate.name === name);
      const key = tool?.priceKey ?? usualKeyOf(model, name);
      const size = tool?.contextSize ?? (name === SEARCH ? searching?.size : undefined) ?? 'medium';
      const price = this.find(key, size, model);
      if (price === undefined || price === '0') continue;
      tools[name] = price;
      if (tool?.priceKey !== undefined || tool?.contextSize !== undefined) terms[name] = `${key}@${size}`;
    }
    if (Object.keys(tools).length === 0) return NONE;
    const isEachCall = searching !== undefined && tools[SEARCH] !== undefined;
    return {
      tools,
      ...(Object.keys(terms).length === 0 ? {} : { toolTerms: terms }),
      ...(isEachCall ? { toolsEachCall: [SEARCH] } : {}),
    };
  }

  /** The entry with the longest part of the model's name wins; among equals the one for this size. */
  private find(key: string, size: string, model: string): string | undefined {
    let best: Entry | undefined;
    for (const entry of this.byKey.get(key) ?? []) {
      if (entry.size !== undefined && entry.size !== size) continue;
      if (
        entry.model !== undefined &&
        !(entry.isPrefix ? model.startsWith(entry.model) : model === entry.model)
      )
        continue;
      if (best === undefined || weight(entry) > weight(best)) best = entry;
    }
    return best?.price;
  }
}

/**
 * The key a tool of a call was priced by, as `tool_price_setting.prices` and clients of this API family spell it.
 * @param name  neutral name, as in `Usage.tools`
 */
export function toolKeyOf(
  { model, toolTerms }: Pick<PriceSnapshot, 'model' | 'toolTerms'>,
  name: string,
): string {
  const term = toolTerms !== undefined && Object.hasOwn(toolTerms, name) ? toolTerms[name] : undefined;
  return term?.split('@')[0] ?? usualKeyOf(model, name);
}

/** The key of a tool where the request names no other. */
function usualKeyOf(model: string, name: string): string {
  if (name !== SEARCH) return USUAL_KEYS.get(name) ?? name;
  return searchingBy(model)?.key ?? (/^(google\/)?gemini-/.test(model) ? 'google_search' : 'web_search');
}

const searchingBy = (model: string) => SEARCHING.find(({ names }) => names.test(model));

const weight = ({ model, isPrefix, size }: Entry): number =>
  (model === undefined ? 0 : (model.length + 1) * 4 + (isPrefix ? 0 : 2)) + (size === undefined ? 0 : 1);
