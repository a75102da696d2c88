import { generateKeyPairSync } from 'node:crypto';
import type { Dialect, DialectRoute } from '../../server/relay-core/dialects/dialect.js';
import { DIALECTS } from '../../server/relay-core/dialects/registry.js';
import type { Operation } from '../../server/relay-core/model/operation.js';
import type { Route } from '../../server/relay-core/ports/channel-picker.js';
import {
  findOperation,
  type Provider,
  type ProviderCall,
  type ProviderOperation,
} from '../../server/relay-core/providers/provider.js';
import { PROVIDERS } from '../../server/relay-core/providers/registry.js';
import { aRoute, someOptions } from '../support/memory-ports.js';
import { aTarget } from '../support/relay-calls.js';
import { questionAt, type Question } from './matrix-questions.js';

/** One address of a dialect, asked of one vendor by one of its operations. */
export interface Cell {
  readonly name: string;
  readonly dialect: Dialect;
  readonly clientRoute: DialectRoute;
  readonly provider: Provider;
  readonly route: Route;
  readonly stream: boolean;
  readonly question: Question;
  /** Id of the vendor's format. */
  readonly apiFormat: string;
  /** Address of the request at the vendor; undefined = it has no operation for this call. */
  readonly address: string | undefined;
  /** The vendor cannot carry the request, and refuses before anything is sent. */
  readonly isRefused: boolean;
  /** The call is translated through the neutral model although both sides use one format. */
  readonly isForced: boolean;
}

const KEY = 'sk-upstream-credential-0001';
/** A service account's file, with a key of its own. */
const ACCOUNT = JSON.stringify({
  type: 'service_account',
  project_id: 'our-project',
  private_key_id: 'k',
  client_email: 'gateway@our-project.example',
  private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }),
});
const CREDENTIALS: Readonly<Record<string, string>> = {
  baidu: `a-baidu-key|${KEY}`,
  spark: `app|api-secret|${KEY}`,
  bedrock: `AKIAMATRIX|${KEY}|us-east-1`,
  vertex: ACCOUNT,
};

/** Keys of another form lead to another interface. */
const MORE_KEYS: Readonly<Record<string, readonly string[]>> = { tencent: [`1250000001|AKIDMATRIX|${KEY}`] };

/** Names that lead to the operations vendors keep for some models. */
const MODELS = [
  'gpt-test',
  'o1-pro',
  'gpt-3.5-turbo-instruct',
  'claude-sonnet-4-5',
  'anthropic.claude-sonnet-4-5-20250929-v1:0',
  'meta/llama-4-scout-17b',
  'text-embedding-005',
  'amazon.titan-embed-text-v2:0',
  'amazon.nova-2-multimodal-embeddings-v1:0',
  'cohere.embed-v4:0',
  'cohere.rerank-v3-5:0',
  'tongyi-embedding-vision-plus',
  'qwen-image-plus',
  'imagen-4.0-generate-001',
  'gemini-2.5-flash-image',
  '@cf/black-forest-labs/flux-1-schnell',
  '@cf/openai/whisper',
];

/** Values vendors expect in the channel's free field. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  dify: ['', 'completion', 'workflow'],
  vertex: ['global'],
  bedrock: [''],
};

/** Channels of a vendor: its own address, or for those without one the kinds operators enter. */
export function routesOf(provider: Provider): readonly Route[] {
  const channelType = provider.channelTypes[0]?.code ?? 0;
  const bases =
    provider.id === 'custom'
      ? ['chat/completions', 'completions', 'responses', 'messages'].map(
          (path) => `https://own.example/v1/${path}`,
        )
      : [provider.defaultBaseUrl === '' ? 'https://own.example' : ''];
  const others = OTHERS[provider.id] ?? ['account'];
  const keys = [CREDENTIALS[provider.id] ?? KEY].concat(MORE_KEYS[provider.id] ?? []);
  return bases.flatMap((baseUrl) =>
    others.flatMap((other) =>
      keys.flatMap((credential) =>
        MODELS.map((upstreamModel) =>
          aRoute({
            channelType,
            baseUrl,
            other,
            upstreamModel,
            isModelMapped: upstreamModel !== 'gpt-test',
            credential,
          }),
        ),
      ),
    ),
  );
}

/** A call as the vendor's half sees it. */
function callAt(clientRoute: DialectRoute, question: Question, route: Route): ProviderCall {
  const parsed = clientRoute.apiFormat.parseCall(
    question.body,
    aTarget({
      pathModel: clientRoute.path.includes(':model') ? 'gpt-test' : undefined,
      query: clientRoute.path.includes(':streamGenerate') ? 'alt=sse' : '',
      headers: question.headers,
    }),
  );
  if (!parsed.ok) throw new Error(`${clientRoute.path}: ${parsed.error.message}`);
  const { shape, document } = parsed.value;
  return {
    route,
    shape,
    options: someOptions(),
    clientFormat: clientRoute.apiFormat.id,
    vendorHeaders: undefined,
    members: { has: (name) => document.members.has(name) },
  };
}

/** The first channel that leads to each operation of a vendor. */
function operationsFor<O extends Operation>(
  provider: Provider,
  operation: O,
  clientRoute: DialectRoute,
  question: Question,
): readonly { readonly served: ProviderOperation<O> | undefined; readonly call: ProviderCall }[] {
  const found = new Map<ProviderOperation<O> | undefined, ProviderCall>();
  for (const route of routesOf(provider)) {
    const call = callAt(clientRoute, question, route);
    const served = findOperation(provider, operation, call);
    if (!found.has(served)) found.set(served, call);
  }
  // A vendor is known not to serve an address only when no model leads anywhere.
  if (found.size > 1) found.delete(undefined);
  return [...found].map(([served, call]) => ({ served, call }));
}

/** Content that has no place in a vendor's format and would change the answer. */
function refuses(apiFormat: string, clientRoute: DialectRoute): boolean {
  // Text completion has no images and no tools.
  if (apiFormat === 'openai-completions') return clientRoute.apiFormat.id !== apiFormat;
  // It takes files by address only; the question has bytes.
  if (apiFormat.startsWith('dify-') || ['coze-chat', 'baidu-chat', 'library-chat'].includes(apiFormat))
    return clientRoute.operation === 'chat' && clientRoute.apiFormat.id !== 'openai-completions';
  return apiFormat === 'cloudflare-image' && /edits|variations/.test(clientRoute.apiFormat.id);
}

async function cellsOf(
  dialect: Dialect,
  clientRoute: DialectRoute,
  provider: Provider,
): Promise<readonly Cell[]> {
  const isGemini = dialect.id === 'gemini';
  const isStreamRoute = clientRoute.path.includes(':streamGenerate');
  const streams = clientRoute.operation === 'chat' ? (isGemini ? [isStreamRoute] : [false, true]) : [false];
  const cells: Cell[] = [];
  for (const stream of streams) {
    const question = await questionAt(dialect.id, clientRoute, stream);
    for (const { served, call } of operationsFor(provider, clientRoute.operation, clientRoute, question)) {
      const apiFormat = served?.apiFormat.id ?? '';
      const address = served?.address(call);
      if (address?.ok === false) throw new Error(`${provider.id}: ${address.error.message}`);
      const title = [
        dialect.id,
        clientRoute.path,
        '→',
        provider.id,
        apiFormat === '' ? 'no way' : apiFormat,
        ...(stream ? ['streamed'] : []),
      ].join(' ');
      const cell: Cell = {
        name: title,
        dialect,
        clientRoute,
        provider,
        route: call.route,
        stream,
        question,
        apiFormat,
        address: address?.value,
        isForced: false,
        isRefused: refuses(apiFormat, clientRoute),
      };
      cells.push(cell);
      if (cell.isRefused && clientRoute.operation === 'chat') {
        const words = await questionAt(dialect.id, clientRoute, stream, 'words');
        cells.push({ ...cell, name: `${title}, words only`, question: words, isRefused: false });
      }
      if (apiFormat === clientRoute.apiFormat.id && clientRoute.operation === 'chat')
        cells.push({ ...cell, name: `${title}, translated`, isForced: true });
    }
  }
  return cells;
}

/** Every address that answers, against every vendor that has its operation, by every operation: a new one is tested by existing. */
export async function everyCell(): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  for (const dialect of DIALECTS) {
    for (const clientRoute of dialect.routes) {
      if (clientRoute.writeCount !== undefined) continue;
      for (const provider of PROVIDERS) {
        if (provider.operations[clientRoute.operation] === undefined) continue;
        cells.push(...(await cellsOf(dialect, clientRoute, provider)));
      }
    }
  }
  return cells;
}
