import { DIALECTS } from '../../server/relay-core/dialects/registry.js';
import type { ChatRequest } from '../../server/relay-core/model/chat.js';
import type { Warning } from '../../server/relay-core/model/warning.js';
import { findOperation } from '../../server/relay-core/providers/provider.js';
import { PROVIDERS } from '../../server/relay-core/providers/registry.js';
import { refuseUnknownParts } from '../../server/relay-core/formats/other-format-parts.js';
import { withoutFreeformTools } from '../../server/relay-core/formats/shared/fields/freeform-tools.js';
import { bytesSource } from '../../server/relay-core/formats/shared/fields/media-bytes.js';
import { droppedPartOptions } from '../../server/relay-core/formats/shared/fields/dropped-part-options.js';
import { vendorToolNames, withToolNames } from '../../server/relay-core/formats/shared/fields/tool-names.js';
import { withWrappedResponseFormat } from '../../server/relay-core/formats/shared/fields/wrapped-response-format.js';
import type {
  UpstreamFormat,
  ClientFormat,
  RequestEdits,
} from '../../server/relay-core/formats/contract/api-format.js';
import { aRoute } from './memory-ports.js';
import { aProviderCall, parsedBy, someEdits } from './relay-calls.js';

/** Text completion is no conversation: it holds neither tools nor images. */
const PLAIN = new Set(['openai-completions', 'dify-completion', 'dify-workflow']);

/** Formats that hold words and addresses of files, and nothing that could be called or bound. */
export const FORMATS_OF_WORDS: readonly string[] = ['dify-chat', 'coze-chat', 'library-chat'];

/** Every client API for conversations, once. */
export const CHAT_APIS: readonly ClientFormat<'chat'>[] = unique(
  DIALECTS.flatMap(({ routes }) =>
    routes.flatMap((route) => (route.operation === 'chat' ? [route.apiFormat as ClientFormat<'chat'>] : [])),
  ),
);

const MODELS = [
  'gpt-test',
  'claude-sonnet-4-5',
  'anthropic.claude-sonnet-4-5-20250929-v1:0',
  'amazon.nova-pro-v1:0',
];

/** Addresses and keys that lead to other formats. */
const PLACES: readonly { readonly baseUrl?: string; readonly credential?: string }[] = [
  {},
  { baseUrl: 'https://own.example/v1/responses' },
  { baseUrl: 'https://own.example/v1/messages' },
  { credential: 'id|name|secret' },
];

/** Every format in which vendors take conversations, once. */
export const CHAT_FORMATS: readonly UpstreamFormat<'chat'>[] = unique(
  PROVIDERS.flatMap((provider) =>
    PLACES.flatMap(({ baseUrl = '', credential = 'sk-up' }) =>
      MODELS.flatMap((upstreamModel) => {
        const channelType = provider.channelTypes[0]?.code ?? 0;
        const route = aRoute({ channelType, baseUrl, upstreamModel, credential });
        return CHAT_APIS.flatMap((api) => {
          const operation = findOperation(provider, 'chat', aProviderCall({ route, clientFormat: api.id }));
          return operation === undefined ? [] : [operation.apiFormat];
        });
      }),
    ),
  ),
);

function unique<ApiFormat extends { readonly id: string }>(
  apiFormats: readonly ApiFormat[],
): readonly ApiFormat[] {
  return [
    ...new Map(
      apiFormats.filter(({ id }) => !PLAIN.has(id)).map((apiFormat) => [apiFormat.id, apiFormat]),
    ).values(),
  ];
}

/** Each API with each format of another name. */
export const CHAT_PAIRS = CHAT_APIS.flatMap((api) =>
  CHAT_FORMATS.filter(({ id }) => id !== api.id).map((format) => ({
    api,
    format,
    name: `${api.id} → ${format.id}`,
  })),
);

const EDITS = someEdits({ upstreamModel: 'model-up' });

export type Carried =
  | {
      readonly body: Record<string, unknown>;
      readonly text: string;
      readonly warnings: readonly Warning[];
    }
  | { readonly refusal: string; readonly param?: string };

/** A request of one API as it leaves in another format. */
export function carry(
  api: ClientFormat<'chat'>,
  format: UpstreamFormat<'chat'>,
  body: Record<string, unknown>,
  edits: Partial<RequestEdits> = {},
): Carried {
  const named = {
    model: 'gpt-test',
    ...(api.id === 'anthropic-messages' ? { max_tokens: 4_096 } : {}),
    ...body,
  };
  const parsed = parsedBy(api, named, { pathModel: 'gpt-test' });
  const bound = api.id === format.id ? undefined : parsed.untranslatableReason?.();
  if (bound !== undefined) return refusalOf(bound);
  const neutral = parsed.neutral();
  if (!neutral.ok) return refusalOf(neutral.error);
  const formed = withWrappedResponseFormat(neutral.value, api.id, format);
  const known = format.hasFreeformTools === true ? formed : withoutFreeformTools(formed);
  const { toolNames } = format;
  const names =
    toolNames === undefined || api.id === format.id ? undefined : vendorToolNames(known, toolNames);
  const request = names === undefined ? known : withToolNames(known, names);
  const refused = refuseUnknownParts(request, format.id) ?? format.refuseRequest?.(request);
  if (refused !== undefined) return refusalOf(refused);
  const written = format.writeRequest(withFetched(request, format), { ...EDITS, ...edits });
  const text = written.body.toString();
  const warnings = [...droppedPartOptions(request, format.id), ...written.warnings];
  return { body: JSON.parse(text) as Record<string, unknown>, text, warnings };
}

/** A file behind an address holds the name it has there. */
function withFetched(request: ChatRequest, { bytesOnly = [] }: UpstreamFormat<'chat'>): ChatRequest {
  const messages = request.messages.map((message) => ({
    ...message,
    content: message.content.map((part) => {
      if (!('source' in part) || part.type === 'source' || part.source.kind !== 'url') return part;
      if (!bytesOnly.includes(part.type)) return part;
      const name = new URL(part.source.url).pathname.replace(/^\/|\.\w+$/g, '');
      return { ...part, source: bytesSource(Buffer.from(name).toString('base64'), `${part.type}/mpeg`) };
    }),
  }));
  return { ...request, messages };
}

const refusalOf = ({ message, param }: { readonly message: string; readonly param?: string }): Carried => ({
  refusal: message,
  ...(param === undefined ? {} : { param }),
});
