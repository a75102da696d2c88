import { formatRatio, multiplyRatios, parseRatio } from '../../common/ratio.js';
import { documentOf, isDocument } from '../../relay-core/formats/shared/fields/json-fields.js';
import { type ListedPrice, priceOf, withoutGaps } from './listed-price.js';
import { serviceTiersOf } from './read-service-tiers.js';

type Entry = Readonly<Record<string, unknown>>;

const MILLION = parseRatio(1_000_000);
const MINUTE = parseRatio(60);
/** The list explains itself in an entry of this name. */
const SAMPLE = 'sample_spec';
const LONG_INPUT = /^input_cost_per_token_above_(\d{1,5})k_tokens$/;

/**
 * The list of LiteLLM: models by name, prices in dollars per token.
 * @returns undefined when the document is no such list
 */
export function readLiteLlm(document: unknown): ListedPrice[] | undefined {
  const entries = Object.entries(documentOf(document)).filter(
    ([name, entry]) => name !== SAMPLE && isDocument(entry) && typeof entry['litellm_provider'] === 'string',
  );
  if (entries.length === 0) return undefined;
  return entries.map(([name, entry]) => readModel(name, documentOf(entry)));
}

function readModel(name: string, entry: Entry): ListedPrice {
  const provider = String(entry['litellm_provider']);
  const model = name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name;
  const prices = pricesOf(entry);
  if (prices === undefined) return { model, provider, unsupported: reasonOf(entry) };
  const maxOutput = priceOf(entry, 'max_output_tokens');
  return { model, provider, ...prices, ...(maxOutput === undefined ? {} : { maxOutput }) };
}

function pricesOf(entry: Entry): Omit<ListedPrice, 'model' | 'provider'> | undefined {
  const perToken = (member: string): number | undefined => scaled(entry, member, MILLION);
  const input = perToken('input_cost_per_token') ?? perToken('input_cost_per_character');
  const output = perToken('output_cost_per_token');
  if (input !== undefined && (input > 0 || (output ?? 0) === 0)) {
    return {
      input,
      ...withoutGaps({
        output,
        reasoning: perToken('output_cost_per_reasoning_token'),
        cacheRead: perToken('cache_read_input_token_cost'),
        cacheWrite: perToken('cache_creation_input_token_cost'),
        cacheWrite1h: perToken('cache_creation_input_token_cost_above_1hr'),
        audioInput: perToken('input_cost_per_audio_token'),
        audioOutput: perToken('output_cost_per_audio_token'),
        imageInput: perToken('input_cost_per_image_token'),
        imageOutput: perToken('output_cost_per_image_token'),
        serviceTiers: serviceTiersOf(entry),
      }),
      ...tiersOf(entry, output),
    };
  }
  const perCall =
    priceOf(entry, 'output_cost_per_image') ??
    (entry['mode'] === 'image_generation' ? priceOf(entry, 'input_cost_per_image') : undefined) ??
    priceOf(entry, 'input_cost_per_query');
  if (perCall !== undefined) return { perCall };
  const perAudioMinute =
    entry['mode'] === 'audio_transcription' ? scaled(entry, 'input_cost_per_second', MINUTE) : undefined;
  return perAudioMinute === undefined ? undefined : { perAudioMinute };
}

function tiersOf(entry: Entry, usualOutput: number | undefined): Pick<ListedPrice, 'tiers'> {
  const tiers = Object.keys(entry).flatMap((member) => {
    const above = LONG_INPUT.exec(member)?.[1];
    const input = above === undefined ? undefined : scaled(entry, member, MILLION);
    if (above === undefined || input === undefined) return [];
    const long = (name: string): number | undefined =>
      scaled(entry, `${name}_above_${above}k_tokens`, MILLION);
    return [
      {
        above: Number(above) * 1_000,
        input,
        output: long('output_cost_per_token') ?? usualOutput ?? 0,
        ...withoutGaps({
          cacheRead: long('cache_read_input_token_cost'),
          cacheWrite: long('cache_creation_input_token_cost'),
        }),
      },
    ];
  });
  return tiers.length === 0 ? {} : { tiers };
}

function reasonOf(entry: Entry): string {
  const member = Object.keys(entry).find((name) => /cost_per_/.test(name) && (priceOf(entry, name) ?? 0) > 0);
  return member === undefined
    ? 'the list has no price'
    : `priced by "${member}", which cannot be expressed here`;
}

/** Decimals stay decimals: 2.5e-06 dollars a token are exactly 2.5 a million. */
function scaled(entry: Entry, member: string, by: ReturnType<typeof parseRatio>): number | undefined {
  const price = priceOf(entry, member);
  if (price === undefined) return undefined;
  // Beyond any price: left as it is, to be refused with its figure.
  if (price > 1_000_000 || (price > 0 && price < 1e-20)) return price * Number(formatRatio(by));
  return Number(formatRatio(multiplyRatios(parseRatio(price), by)));
}
