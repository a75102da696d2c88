import { fail, ok, type Result } from '../../common/result.js';
import { refusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import { aiproxyLibrary } from './aiproxy-library/provider.js';
import { ali } from './ali/provider.js';
import { anthropicProvider } from './anthropic/provider.js';
import { azure } from './azure/provider.js';
import { baidu } from './baidu/provider.js';
import { bedrock } from './bedrock/provider.js';
import { CHANNEL_TYPE_NAMES } from './channel-types.js';
import { cohere } from './cohere/provider.js';
import { coze } from './coze/provider.js';
import { dify } from './dify/provider.js';
import { geminiProvider } from './gemini/provider.js';
import { jina } from './jina/provider.js';
import { midjourney, midjourneyPlus } from './midjourney/provider.js';
import { ollama } from './ollama/provider.js';
import { OPENAI_COMPATIBLE } from './openai-compatible/provider.js';
import type { Provider } from './provider.js';
import { spark } from './spark/provider.js';
import { suno } from './suno/provider.js';
import { tencent } from './tencent/provider.js';
import { vertexProvider } from './vertex/provider.js';

/** Every vendor that is served. */
export const PROVIDERS: readonly Provider[] = [
  aiproxyLibrary,
  ...OPENAI_COMPATIBLE.filter(({ id }) => id !== ali.id && id !== tencent.id),
  ali,
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
  PROVIDERS.flatMap((provider) => provider.typeCodes.map((code) => [code, provider] as const)),
);

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

/** Whether calls can go to channels of this type. */
export const isServedType = (typeCode: number): boolean => BY_TYPE_CODE.has(typeCode);

export { CHANNEL_TYPE_NAMES };
