import { fail, ok, type Result } from '../../common/result.js';
import type { RelayError } from '../model/relay-error.js';
import { ali } from './ali.js';
import { anthropicProvider } from './anthropic.js';
import { azure } from './azure.js';
import { bedrock } from './bedrock.js';
import { CHANNEL_TYPE_NAMES } from './channel-types.js';
import { cohere } from './cohere.js';
import { dify } from './dify.js';
import { geminiProvider } from './gemini.js';
import { jina } from './jina.js';
import { midjourney, midjourneyPlus } from './midjourney.js';
import { ollama } from './ollama.js';
import { OPENAI_COMPATIBLE } from './openai-compatible.js';
import type { Provider } from './provider.js';
import { suno } from './suno.js';
import { vertexProvider } from './vertex.js';

/** Every vendor that is served. */
export const PROVIDERS: readonly Provider[] = [
  ...OPENAI_COMPATIBLE.filter(({ id }) => id !== ali.id),
  ali,
  anthropicProvider,
  azure,
  bedrock,
  cohere,
  dify,
  geminiProvider,
  vertexProvider,
  jina,
  ollama,
  midjourney,
  midjourneyPlus,
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
  return fail({
    kind: 'not-implemented',
    blame: 'caller',
    message:
      name === undefined
        ? `Channel type ${typeCode} does not exist.`
        : `Channels of type ${name} are not implemented yet in this version.`,
  });
}

/** Whether calls can go to channels of this type. */
export const isServedType = (typeCode: number): boolean => BY_TYPE_CODE.has(typeCode);

export { CHANNEL_TYPE_NAMES };
