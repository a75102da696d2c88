import type { Result } from '../../../common/result.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import { spliceFields } from '../../framing/json-splice.js';
import { EMBED_FORMAT, geminiEmbed, geminiEmbedBatch } from '../../formats/gemini-embed/index.js';
import {
  geminiGenerateBack,
  geminiImage,
  geminiSpeech,
  isVideoPage,
} from '../../formats/gemini-generate/index.js';
import { imagenPredict } from '../../formats/imagen-predict/index.js';
import { documentOf, numberOf } from '../../formats/shared/fields/json-fields.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { adaptGemini } from './adapt.js';
import { googleSecretsOf, readGoogleError, readGoogleErrorInside } from './error.js';
import type { ProviderCall, ProviderOperation } from '../provider.js';

/** Address, headers and signature of a vendor with Google's API. */
export interface GoogleEndpoint {
  /** @param tail  verb and query, such as `generateContent` or `streamGenerateContent?alt=sse` */
  address(call: ProviderCall, tail: string): Result<string, RelayError>;
  headers(call: ProviderCall): Readonly<Record<string, string>>;
  readonly sign?: NonNullable<ProviderOperation<'chat'>['sign']>;
}

const NO_EDITS = { dropStreamOptions: false, usesCompletionCap: false, refusedMembers: [] } as const;

/** Builds an operation with the parts all of Google's share. */
export function googleOperation<O extends Operation>(
  endpoint: GoogleEndpoint,
  apiFormat: UpstreamFormat<O>,
  tailOf: (call: ProviderCall) => string,
): ProviderOperation<O> {
  return {
    apiFormat,
    address: (call) => endpoint.address(call, tailOf(call)),
    headers: (call) => endpoint.headers(call),
    edits: () => NO_EDITS,
    ...(endpoint.sign === undefined ? {} : { sign: endpoint.sign }),
    readError: (reply, route) => readGoogleError(reply, googleSecretsOf(route)),
    readErrorDocument: (document, route) => readGoogleErrorInside(document, googleSecretsOf(route)),
  };
}

/** Chats by generateContent. @param takesCallIds  Vertex refuses ids of calls and results */
export function generateOperations(
  endpoint: GoogleEndpoint,
  takesCallIds: boolean,
  serves: (call: ProviderCall) => boolean,
): readonly ProviderOperation<'chat'>[] {
  const operation = (keepsCallIds: boolean, addsSignatures: boolean): ProviderOperation<'chat'> => ({
    ...googleOperation(
      endpoint,
      geminiGenerateBack({
        keepsCallIds,
        passesCallIds: takesCallIds,
        addsSignatures,
      }),
      generateTail,
    ),
    serves: (call) => {
      const { dropsFunctionResponseIds, addsThoughtSignatures } = call.options.gemini;
      const takesIds = takesCallIds && !dropsFunctionResponseIds;
      return serves(call) && takesIds === keepsCallIds && addsThoughtSignatures === addsSignatures;
    },
    adapt: adaptGemini,
    fileSchemes: ['gs'],
    needsBytes: (_media, url) => /^https?:\/\//i.test(url) && !isVideoPage(url),
    count: {
      address: (call) => endpoint.address(call, 'countTokens'),
      write: ({ document }, upstreamModel) => countRequest(document, upstreamModel, takesCallIds),
      read: (answer) => numberOf(documentOf(answer)['totalTokens']),
    },
  });
  const kept = takesCallIds ? [true, false] : [false];
  return kept.flatMap((keepsCallIds) => [operation(keepsCallIds, false), operation(keepsCallIds, true)]);
}

/** AI Studio counts a whole request under a name of its own; Vertex takes the members as they are. */
function countRequest(
  document: Parameters<typeof spliceFields>[0],
  upstreamModel: string,
  isStudio: boolean,
): Buffer {
  if (!isStudio) return spliceFields(document, new Map([['model', undefined]]));
  const request = spliceFields(document, new Map([['model', `models/${upstreamModel}`]]));
  return Buffer.concat([Buffer.from('{"generateContentRequest":'), request, Buffer.from('}')]);
}

const generateTail = ({ shape }: ProviderCall): string =>
  shape.stream
    ? `streamGenerateContent${shape.streamForm === 'json-array' ? '' : '?alt=sse'}`
    : 'generateContent';

/** Vectors as AI Studio makes them. */
export const embedOperations = (endpoint: GoogleEndpoint): readonly ProviderOperation<'embed'>[] => [
  {
    ...googleOperation(endpoint, geminiEmbed, () => 'embedContent'),
    serves: ({ clientFormat }) => clientFormat === EMBED_FORMAT,
  },
  googleOperation(endpoint, geminiEmbedBatch, () => 'batchEmbedContents'),
];

/** Images: Imagen's predictions, or answers of Gemini's image models. */
export const imageOperations = (endpoint: GoogleEndpoint): readonly ProviderOperation<'image'>[] => [
  {
    ...googleOperation(endpoint, imagenPredict, () => 'predict'),
    serves: ({ route }) => /(^|\/)imagen|imagegeneration/.test(route.upstreamModel),
  },
  {
    ...googleOperation(endpoint, geminiImage, () => 'generateContent'),
    serves: ({ route, shape }) => /(^|\/)gemini/.test(route.upstreamModel) && shape.task !== 'vary',
  },
];

/** Speech of Gemini's models. */
export const speechOperations = (endpoint: GoogleEndpoint): readonly ProviderOperation<'speak'>[] => [
  googleOperation(endpoint, geminiSpeech, () => 'generateContent'),
];
