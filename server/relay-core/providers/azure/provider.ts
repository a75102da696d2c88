import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { openaiChat, openaiChatCachedBeside } from '../../formats/openai-chat/index.js';
import { openaiEmbeddings } from '../../formats/openai-embeddings/index.js';
import { openaiResponses } from '../../formats/openai-responses/index.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { chatOperations } from '../openai-compatible/chat-operations.js';
import { OPENAI_CHAT } from '../openai-compatible/chat-profiles.js';
import { AZURE_MEDIA, mediaOperations } from '../openai-compatible/media-operations.js';
import { readErrorInside, readFailedReply } from '../shared/openai-compatible-error.js';
import { OPENAI_MODELS } from '../shared/model-names.js';
import { OPENAI_SWITCHES } from '../channel-form.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import { OPENAI_NEWEST } from '../shared/default-descriptions.js';
import type { Provider, ProviderCall, ProviderOperation } from '../provider.js';
import { reasoningModelEdits } from '../openai-compatible/reasoning-models.js';
import { joinAddress } from '../shared/upstream-address.js';
import {
  azureAddress,
  azureKeyHeader,
  azureResponsesAddress,
  newerAddress,
  noBase,
  readAzureBase,
  versionOf,
  withVersion,
} from './address.js';
import { azureRealtime } from './realtime.js';
import { secretsOf } from '../shared/channel-secrets.js';

const DESCRIPTION: VendorDescription = {
  ...OPENAI_NEWEST,
  source: {
    links: ['https://learn.microsoft.com/en-us/azure/foundry/openai/how-to/chatgpt'],
    restsOn: 'OpenAI’s own description; recorded answers',
  },
  serviceTiers: ['auto', 'default', 'flex', 'priority'],
};

function build<O extends Operation>(path: string, apiFormat: UpstreamFormat<O>): ProviderOperation<O> {
  const isResponses = apiFormat.id === openaiResponses.id;
  return {
    apiFormat,
    address: ({ route }) => (isResponses ? azureResponsesAddress(route) : azureAddress(path, route)),
    headers: ({ route, shape }) => ({
      'content-type': 'application/json',
      accept: shape.stream ? 'text/event-stream' : 'application/json',
      'user-agent': 'tollgate',
      ...azureKeyHeader(route.credential),
    }),
    edits: ({ route }: ProviderCall) => ({
      dropStreamOptions: false,
      ...reasoningModelEdits(route.upstreamModel),
    }),
    readError: (reply, route) => readAzureError(readFailedReply(reply, secretsOf(route))),
    readErrorDocument: (document, route) => readErrorInside(document, secretsOf(route)),
  };
}

/** A deployment that is not there is the operator's to mend. */
function readAzureError(error: RelayError): RelayError {
  if (error.blame !== 'upstream' || error.upstreamStatus !== 404 || error.vendorCode !== 'DeploymentNotFound')
    return error;
  return { ...error, message: refusal('deployment-missing').message };
}

/** xAI's models: their reports have cached tokens beside the prompt here. */
const isGrok = ({ route }: ProviderCall): boolean => /grok/i.test(route.upstreamModel);

/** The chats, with operations of their own for xAI's models. */
const withGrok = (operations: readonly ProviderOperation<'chat'>[]): readonly ProviderOperation<'chat'>[] =>
  operations.flatMap((operation) =>
    operation.apiFormat.id === openaiChat.id
      ? [
          {
            ...operation,
            apiFormat: openaiChatCachedBeside,
            serves: (call) => isGrok(call) && operation.serves?.(call) !== false,
          },
          operation,
        ]
      : [operation],
  );

/** Azure OpenAI: OpenAI's models as deployments. */
export const azure: Provider = {
  id: 'azure',
  channelTypes: [
    {
      code: 3,
      name: 'Azure',
      telemetryName: 'azure.ai.openai',
      form: {
        keyExample: 'API key',
        other: 'api_version',
        otherExample: '2025-04-01-preview',
        needsAddress: true,
        addressExample: 'https://NAME.openai.azure.com',
        switches: OPENAI_SWITCHES,
        otherIsAddressPart: true,
        keepsBearer: true,
      },
    },
  ],
  defaultBaseUrl: '',
  defaultModels: OPENAI_MODELS,
  operations: {
    // Not every resource has the newer endpoint: only its own callers and models are sent there.
    chat: withGrok(
      chatOperations(
        {
          profile: OPENAI_CHAT,
          description: DESCRIPTION,
          chatPath: '/v1/chat/completions',
          hasOpenaiModels: true,
          baseIsFullAddress: false,
        },
        build,
      ),
    ),
    embed: [build<'embed'>('/v1/embeddings', openaiEmbeddings)],
    ...mediaOperations(AZURE_MEDIA, build),
  },
  realtime: azureRealtime,
  modelListAddress: (route) => {
    const { resource, isNewer } = readAzureBase(route);
    if (resource === '') return noBase();
    if (isNewer) return newerAddress(resource, '/v1/models', versionOf(route));
    return withVersion(joinAddress(resource, '/openai/models'), versionOf(route));
  },
  modelListHeaders: (route) => azureKeyHeader(route.credential),
};
