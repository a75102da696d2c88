/** Bedrock's ids of the names clients know. */
const IDS: ReadonlyMap<string, string> = new Map([
  ['claude-3-sonnet-20240229', 'anthropic.claude-3-sonnet-20240229-v1:0'],
  ['claude-3-opus-20240229', 'anthropic.claude-3-opus-20240229-v1:0'],
  ['claude-3-haiku-20240307', 'anthropic.claude-3-haiku-20240307-v1:0'],
  ['claude-3-5-sonnet-20240620', 'anthropic.claude-3-5-sonnet-20240620-v1:0'],
  ['claude-3-5-sonnet-20241022', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
  ['claude-3-5-haiku-20241022', 'anthropic.claude-3-5-haiku-20241022-v1:0'],
  ['claude-3-7-sonnet-20250219', 'anthropic.claude-3-7-sonnet-20250219-v1:0'],
  ['claude-sonnet-4-20250514', 'anthropic.claude-sonnet-4-20250514-v1:0'],
  ['claude-opus-4-20250514', 'anthropic.claude-opus-4-20250514-v1:0'],
  ['claude-opus-4-1-20250805', 'anthropic.claude-opus-4-1-20250805-v1:0'],
  ['claude-sonnet-4-5-20250929', 'anthropic.claude-sonnet-4-5-20250929-v1:0'],
  ['claude-haiku-4-5-20251001', 'anthropic.claude-haiku-4-5-20251001-v1:0'],
  ['claude-opus-4-5-20251101', 'anthropic.claude-opus-4-5-20251101-v1:0'],
  ['claude-opus-4-6', 'anthropic.claude-opus-4-6-v1'],
  ['claude-sonnet-4-6', 'anthropic.claude-sonnet-4-6'],
  ['claude-opus-4-7', 'anthropic.claude-opus-4-7'],
  ['claude-opus-4-8', 'anthropic.claude-opus-4-8'],
  ...['nova-micro', 'nova-lite', 'nova-pro', 'nova-premier', 'nova-canvas', 'nova-reel', 'nova-sonic'].map(
    (name) => [`${name}-v1:0`, `amazon.${name}-v1:0`] as const,
  ),
  ['nova-reel-v1:1', 'amazon.nova-reel-v1:1'],
]);

/** Names offered when an operator asks to fill the list. */
export const BEDROCK_MODELS: readonly string[] = [
  ...[...IDS.keys()].filter((name) => !/canvas|reel|sonic/.test(name)),
  'amazon.titan-embed-text-v2:0',
  'amazon.nova-2-multimodal-embeddings-v1:0',
  'cohere.embed-v4:0',
  'cohere.rerank-v3-5:0',
  'amazon.rerank-v1:0',
  'openai.gpt-oss-120b-1:0',
  'openai.gpt-oss-20b-1:0',
];

type Profile = 'us' | 'eu' | 'apac' | 'global';

/** Models that are served across regions, and from where; first match decides. */
const PROFILES: readonly (readonly [RegExp, readonly Profile[]])[] = [
  [/^anthropic\.claude-3-(?:sonnet|haiku)-/, ['us', 'eu', 'apac']],
  [/^anthropic\.claude-3-opus-/, ['us']],
  [/^anthropic\.claude-3-5-sonnet-20240620/, ['us', 'eu', 'apac']],
  [/^anthropic\.claude-3-5-sonnet-20241022/, ['us', 'apac']],
  [/^anthropic\.claude-3-5-haiku-/, ['us']],
  [/^anthropic\.claude-3-7-sonnet-/, ['us', 'eu', 'apac']],
  [/^anthropic\.claude-sonnet-4-2025/, ['us', 'eu', 'apac', 'global']],
  [/^anthropic\.claude-opus-4-(?:1-)?2025/, ['us']],
  [/^anthropic\.claude-(?:opus|sonnet|haiku|fable)-(?:4-[5-9]|[5-9])/, ['us', 'eu', 'global']],
  [/^amazon\.nova-(?:micro|lite|pro)-v1/, ['us', 'eu', 'apac']],
  [/^amazon\.nova-premier-/, ['us']],
  [/^amazon\.nova-[2-9]-(?!multimodal)/, ['us', 'eu', 'global']],
  [/^meta\.llama(?:3-[1-9]|[4-9])/, ['us']],
  [/^deepseek\.r1/, ['us']],
];

/**
 * The id to ask for. Names clients know become Bedrock's own; where a model is served by inference profiles only, the
 * region's prefix is put before it. Ids with a prefix, and ARNs, stay.
 * @param setting  the channel's word: empty or `auto`, `none`, or a prefix (`us`, `eu`, `apac`, `global`, …)
 */
export function bedrockModelId(name: string, region: string, setting: string): string {
  const id = IDS.get(name) ?? name;
  if (id.startsWith('arn:')) return id;
  const word = setting.trim().toLowerCase().replace(/\.$/, '');
  if (word === 'none') return id;
  if (word !== '' && word !== 'auto') return /^[a-z-]{2,10}$/.test(word) ? `${word}.${id}` : id;
  const profiles = PROFILES.find(([pattern]) => pattern.test(id))?.[1];
  if (profiles === undefined) return id;
  const own = profileOf(region);
  if (own !== undefined && profiles.includes(own)) return `${own}.${id}`;
  return profiles.includes('global') ? `global.${id}` : id;
}

function profileOf(region: string): Profile | undefined {
  if (region.startsWith('us-gov-')) return undefined;
  if (region.startsWith('us-')) return 'us';
  if (region.startsWith('eu-')) return 'eu';
  return region.startsWith('ap-') ? 'apac' : undefined;
}
