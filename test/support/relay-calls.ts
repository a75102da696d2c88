import type { Dialect, DialectRoute } from '../../server/relay-core/dialects/dialect.js';
import type { IncomingCall } from '../../server/relay-core/model/call.js';
import type { Operation } from '../../server/relay-core/model/operation.js';
import type { ProviderCall } from '../../server/relay-core/providers/provider.js';
import type {
  CallTarget,
  ClientFormat,
  ParsedCall,
  RequestEdits,
} from '../../server/relay-core/formats/contract/api-format.js';
import type { RequestFacts } from '../../server/relay-core/pipeline/reply/bound-usage.js';
import { aRoute, someOptions } from './memory-ports.js';

/** A request that says nothing outside its body. */
export const aTarget = (changes: Partial<CallTarget> = {}): CallTarget => ({
  pathModel: undefined,
  query: '',
  headers: {},
  ...changes,
});

/** A request as it came over the wire, with the key of the caller in `MemoryPorts`. */
export const aClientCall = (changes: Partial<IncomingCall> = {}): IncomingCall => ({
  callId: 'call-1',
  path: '/v1/chat/completions',
  pathModel: undefined,
  query: '',
  headers: { authorization: 'Bearer sk-test' },
  body: Buffer.alloc(0),
  receivedAtMs: 1_800_000_000_000,
  clientAddress: '127.0.0.1',
  ...changes,
});

/** A body understood by a format. Fails: throws with the format's own sentence. */
export function parsedBy<O extends Operation>(
  apiFormat: ClientFormat<O>,
  body: unknown,
  target: Partial<CallTarget> = {},
): ParsedCall<O> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const parsed = apiFormat.parseCall(bytes, aTarget(target));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

/** Changes of a request because of its channel: the model's name alone. */
export const someEdits = (changes: Partial<RequestEdits> = {}): RequestEdits => ({
  upstreamModel: 'up',
  reportUsage: false,
  dropStreamOptions: false,
  outputCap: undefined,
  usesCompletionCap: false,
  refusedMembers: [],
  ...changes,
});

/** A call as a provider sees it. */
export const aProviderCall = (changes: Partial<ProviderCall> = {}): ProviderCall => ({
  route: aRoute(),
  shape: {
    operation: 'chat',
    model: 'gpt-test',
    stream: false,
    outputCap: undefined,
    choices: 1,
    promptTokens: 1,
    wantsStreamUsage: false,
  },
  options: someOptions(),
  clientFormat: 'openai-chat',
  vendorHeaders: undefined,
  ...changes,
});

/** The first address of a dialect for an operation, or the one of that path. */
export function clientRouteOf(dialect: Dialect, operation: Operation, path?: string): DialectRoute {
  const clientRoute = dialect.routes.find(
    (route) => route.operation === operation && (path === undefined || route.path === path),
  );
  if (clientRoute === undefined) throw new Error(`${dialect.id} has no address for ${operation}`);
  return clientRoute;
}

/** Facts that bound what may be reported for a request which names no cap and nothing stored elsewhere. */
export const someRequestFacts = (changes: Partial<RequestFacts> = {}): RequestFacts => ({
  requestBody: Buffer.from('{}'),
  shape: { model: 'gpt-4o', promptTokens: 5 },
  readsMore: false,
  route: aRoute(),
  worstCase: { outputCap: undefined, modelOutputCap: undefined, choices: 1 },
  ...changes,
});
