import { fail, ok, type Result } from '../../common/result.js';
import { refusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import { aiproxyLibrary } from './aiproxy-library/provider.js';
import { ali } from './ali/provider.js';
import { anthropicProvider } from './anthropic/provider.js';
import { azure } from './azure/provider.js';
import { baidu } from './baidu/provider.js';
import { bedrock } from './bedrock/provider.js';
import type { ChannelType } from './channel-form.js';
import { cloudflare } from './cloudflare/provider.js';
import { cohere } from './cohere/provider.js';
import { coze } from './coze/provider.js';
import { dify } from './dify/provider.js';
import { geminiProvider } from './gemini/provider.js';
import { jina } from './jina/provider.js';
import { midjourney, midjourneyPlus } from './midjourney/provider.js';
import { ollama } from './ollama/provider.js';
import { OPENAI_COMPATIBLE } from './openai-compatible/provider.js';
import type { Provider } from './provider.js';
import { withoutOwnPath } from './shared/base-address.js';
import { spark } from './spark/provider.js';
import { suno } from './suno/provider.js';
import { tencent } from './tencent/provider.js';
import { typeCodeFaults } from './type-codes.js';
import { UNSERVED_TYPES } from './unserved-types.js';
import { vertexProvider } from './vertex/provider.js';

/** Every vendor that is served. */
export const PROVIDERS: readonly Provider[] = [
  aiproxyLibrary,
  ...OPENAI_COMPATIBLE,
  ali,
  cloudflare,
  tencent,
  anthropicProvider,
  azure,
  baidu,
  bedrock,
  cohere,
  coze,
  dify,
  geminiProvider,
  vertexProvider,
  jina,
  ollama,
  midjourney,
  midjourneyPlus,
  spark,
  suno,
];

const BY_TYPE_CODE: ReadonlyMap<number, Provider> = new Map(
  PROVIDERS.flatMap((provider) => provider.channelTypes.map(({ code }) => [code, provider] as const)),
);

/** Every channel type in the order of the codes, served or not: rows imported from other installations keep their codes. */
export const CHANNEL_TYPES: readonly ChannelType[] = [
  ...PROVIDERS.flatMap(({ channelTypes }) => channelTypes),
  ...UNSERVED_TYPES.values(),
].toSorted((left, right) => left.code - right.code);

const FAULTS = typeCodeFaults(CHANNEL_TYPES.map(({ code }) => code));
if (FAULTS.length > 0) throw new Error(`channel types: ${FAULTS.join(', ')}`);

const TYPES: ReadonlyMap<number, ChannelType> = new Map(CHANNEL_TYPES.map((type) => [type.code, type]));

export const CHANNEL_TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  CHANNEL_TYPES.map(({ code, name }) => [code, name]),
);

/** Undefined = no channel type has this code. */
export const findChannelType = (typeCode: number): ChannelType | undefined => TYPES.get(typeCode);

/**
 * The provider behind a channel type code.
 * Fails: not-implemented, naming the vendor, for codes that are known but not served, and for unknown codes.
 */
export function findProvider(typeCode: number): Result<Provider, RelayError> {
  const provider = BY_TYPE_CODE.get(typeCode);
  if (provider !== undefined) return ok(provider);
  const name = CHANNEL_TYPE_NAMES.get(typeCode);
  return fail(
    name === undefined
      ? refusal('channel-type-unknown', { type: typeCode })
      : refusal('channel-type-unserved', { type: name }),
  );
}

/** True when calls can go to channels of this type. */
export const isServedType = (typeCode: number): boolean => BY_TYPE_CODE.has(typeCode);

const TASK_PATHS: readonly RegExp[] = PROVIDERS.flatMap(({ taskPath }) => taskPath ?? []);

/** A base address without the path of tasks that was typed behind it, whichever vendor's. */
export const withoutTaskPath = (baseUrl: string): string =>
  TASK_PATHS.reduce((address, path) => withoutOwnPath(address, path), baseUrl);
