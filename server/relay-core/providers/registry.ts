import { fail, ok, type Result } from '../../common/result.js';
import { refusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import { aiproxyLibrary } from './vendors/aiproxy-library.js';
import { ali } from './vendors/ali.js';
import { anthropicProvider } from './vendors/anthropic.js';
import { azure } from './vendors/azure.js';
import { baidu } from './vendors/baidu.js';
import { bedrock } from './vendors/bedrock.js';
import { CHANNEL_TYPE_NAMES } from './channel-types.js';
import { cohere } from './vendors/cohere.js';
import { coze } from './vendors/coze.js';
import { dify } from './vendors/dify.js';
import { geminiProvider } from './vendors/gemini.js';
import { jina } from './vendors/jina.js';
import { midjourney, midjourneyPlus } from './vendors/midjourney.js';
import { ollama } from './vendors/ollama.js';
import { OPENAI_COMPATIBLE } from './openai-compatible/openai-compatible.js';
import type { Provider } from './provider.js';
import { spark } from './vendors/spark.js';
import { suno } from './vendors/suno.js';
import { tencent } from './vendors/tencent.js';
import { vertexProvider } from './vendors/vertex.js';

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
