import { Injectable } from '@nestjs/common';
import { fail, ok, type Result } from '../../../common/result.js';
import { refusal } from '../../../relay-core/model/refusals.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { Clock } from '../../../common/clock.js';
import { HttpSender } from '../../../relay-core/ports/http-sender.js';
import { findProvider } from '../../../relay-core/providers/registry.js';
import { openedChannel, ringOf, routeOf } from '../state/channel-snapshot.js';
import { emptyRoute, formOfType } from '../state/channel-types.js';
import { ChannelCircuitBreaker, circuitOf } from '../state/channel-circuit-breaker.js';
import { ChannelStore } from '../state/channel-store.js';
import { splitStoredKeys } from '../state/key-ring.js';
import { notFound, ProbeCall, type ProbeOptions, type ProbeResult } from './probe-call.js';
import type { ProbeEndpoint, ProbePlan } from '../state/probe-kinds.js';
import { endpointNamedBy } from './probe-model.js';
import { fetchBounded } from '../../../infra/http-client/fetch-bounded.js';
import { describeFault } from '../../../infra/http-client/upstream-fault.js';
import { type Provider, typeNameOf } from '../../../relay-core/providers/provider.js';
import { isJsonObject, parseJson } from '../../../common/parse-json.js';

/** Model lists of resellers reach a megabyte. */
const LIMITS = { timeoutMs: 15_000, maxBytes: 8 * 1024 * 1024 } as const;
const MAX_MODELS = 10_000;
const MAX_NAME_CHARACTERS = 255;

/** An upstream that is not stored (yet). */
export interface UnstoredChannel {
  readonly type: number;
  readonly baseUrl: string;
  readonly key: string;
  readonly other?: string;
  readonly proxy?: string;
}

const NO_MODEL = '';

/** Requests to an upstream outside of calls: reachability and model list. */
@Injectable()
export class ChannelProbe {
  constructor(
    private readonly channels: ChannelStore,
    private readonly sender: HttpSender,
    private readonly calls: ProbeCall,
    private readonly circuits: ChannelCircuitBreaker,
    private readonly clock: Clock,
  ) {}

  /** Test plan of a channel; null = there is no such channel. */
  async planOf(channelId: number, wanted: ProbeOptions): Promise<FullPlan | null> {
    const stored = await this.channels.open(channelId);
    if (stored === null) return null;
    const plan = planFor(stored.channel, wanted);
    const isWhole = wanted.endpoint === undefined && plan.endpoint === 'chat';
    return isWhole ? { ...plan, others: namedEndpoints(stored.channel) } : plan;
  }

  /** One small call through the whole relay to this channel only; no balance is moved. Never throws for an upstream's fault. */
  async test(channelId: number, options: ProbeOptions): Promise<ProbeResult> {
    const stored = await this.channels.open(channelId);
    if (stored === null) return notFound(channelId);
    const { model, endpoint } = planFor(stored.channel, options);
    const { credential, keyIndex } = keyToTest(stored, options.keyIndex);
    const route = routeOf(openedChannel(stored.channel, credential), model);
    const keyed = keyIndex === undefined ? route : { ...route, keyIndex };
    const startedAtMs = this.clock.nowMs();
    const result = await this.calls.run(keyed, model, endpoint, options.stream === true);
    if (result.success && options.endsRest === true)
      this.circuits.recordSuccess(circuitOf(keyed), startedAtMs);
    return result;
  }

  /** Fails: not-found, not-implemented, upstream-*; the message is for the operator. */
  async fetchModels(channelId: number): Promise<Result<readonly string[], RelayError>> {
    const stored = await this.channels.open(channelId);
    if (stored === null) return { ok: false, error: refusal('channel-unknown') };
    return this.listModels(
      routeOf(openedChannel(stored.channel, keyToTest(stored, undefined).credential), NO_MODEL),
    );
  }

  /** The same for a channel that is being typed. */
  async fetchModelsOf(channel: UnstoredChannel): Promise<Result<readonly string[], RelayError>> {
    return this.listModels({
      ...emptyRoute(channel.type),
      baseUrl: channel.baseUrl.replace(/\/+$/, ''),
      credential: firstKey(channel.key),
      other: channel.other ?? '',
      upstreamModel: NO_MODEL,
      settings: { proxy: channel.proxy || undefined },
    });
  }

  private async listModels(route: Route): Promise<Result<readonly string[], RelayError>> {
    const provider = findProvider(route.channelType);
    return provider.ok ? readModelList(this.sender, provider.value, route) : provider;
  }
}

/** A test, and the tests of the other APIs that the channel names. */
export type FullPlan = ProbePlan & { readonly others?: readonly ProbeEndpoint[] };

const ENDPOINT_OF_PATH: ReadonlyMap<string, ProbeEndpoint> = new Map<string, ProbeEndpoint>([
  ['responses_path', 'responses'],
  ['messages_path', 'messages'],
  ['gemini_path', 'generate_content'],
]);

/** Tests of the APIs whose paths a channel names beside its chat endpoint. */
export function namedEndpoints({ type, settings }: Pick<StoredRow, 'type' | 'settings'>): ProbeEndpoint[] {
  const document = parseJson(settings ?? '');
  if (!isJsonObject(document)) return [];
  return formOfType(type).switches.flatMap(({ name }) => {
    const endpoint = ENDPOINT_OF_PATH.get(name);
    const path = Object.hasOwn(document, name) ? document[name] : '';
    return endpoint === undefined || typeof path !== 'string' || path === '' ? [] : [endpoint];
  });
}

type Stored = NonNullable<Awaited<ReturnType<ChannelStore['open']>>>;
type StoredRow = Stored['channel'];

/** The kind of test is the one asked for, else the one the model's name stands for, else a conversation. */
export function planFor(
  channel: Pick<StoredRow, 'type' | 'testModel' | 'models'>,
  wanted: Pick<ProbeOptions, 'model' | 'endpoint'> = {},
): ProbePlan {
  const model = modelToTest(channel, wanted.model);
  return { model, endpoint: wanted.endpoint ?? endpointNamedBy(model, channel.type) ?? 'chat' };
}

/** Model named by the operator, else the channel's test model, else its first, else a common small one. */
function modelToTest(channel: Pick<StoredRow, 'testModel' | 'models'>, asked: string | undefined): string {
  const candidates = [asked, channel.testModel, channel.models.split(',')[0]];
  return candidates.map((name) => name?.trim() ?? '').find((name) => name !== '') ?? 'gpt-4o-mini';
}

/** The only key; of several the one asked for, else the first that is on, else the first. */
function keyToTest(
  { channel, key }: Stored,
  asked: number | undefined,
): { readonly credential: string; readonly keyIndex?: number } {
  const ring = ringOf(channel.channelInfo, key);
  if (ring === undefined) return { credential: key };
  const keys = splitStoredKeys(key);
  const index = asked ?? ring.keys[0]?.index ?? 0;
  return { credential: keys[index] ?? '', keyIndex: index };
}

/** First of several lines; a JSON document is one key. */
const firstKey = (key: string): string => {
  const text = key.trim();
  return text.startsWith('{') ? text : (text.split(/[\r\n]/, 1)[0] ?? '');
};

/**
 * The models that an upstream lists. Only names come back, never the answer itself.
 * Fails: not-implemented when the vendor has no list, upstream-* with a sentence for the operator.
 */
export async function readModelList(
  sender: HttpSender,
  provider: Provider,
  route: Route,
): Promise<Result<readonly string[], RelayError>> {
  const address = provider.modelListAddress(route);
  const operation = provider.operations.chat?.[0] ?? provider.operations.embed?.[0];
  if (address === undefined || operation === undefined) {
    const vendor = typeNameOf(provider, route.channelType) || 'The upstream';
    return fail(refusal('models-not-listed', { vendor }));
  }
  if (!address.ok) return address;
  const headers = provider.modelListHeaders(route);
  const request = {
    method: 'GET',
    url: address.value,
    headers,
    body: undefined,
    proxy: route.settings.proxy,
  } as const;
  const reply = await fetchBounded(sender, request, LIMITS);
  if (!reply.ok) {
    const kind = reply.error.kind === 'timeout' ? 'upstream-timeout' : 'upstream-unreachable';
    return fail({ kind, blame: 'upstream', message: describeFault(reply.error), cause: reply.error.cause });
  }
  if (reply.value.status >= 400) return fail(operation.readError(reply.value, route));
  return readNames(provider, reply.value.body);
}

function readNames(provider: Provider, body: Buffer): Result<readonly string[], RelayError> {
  const document = parseJson(body);
  const names = provider.readModelList?.(document) ?? collectNames(document);
  if (names === null) {
    return fail(refusal('no-model-list'));
  }
  return ok([...new Set(names)].slice(0, MAX_MODELS));
}

/** `{data: [{id}]}` as OpenAI has it; a bare list, and `{models: [{name}]}` as Ollama has it, are understood too. */
function collectNames(document: unknown): string[] | null {
  const list = Array.isArray(document)
    ? document
    : (memberOf(document, 'data') ?? memberOf(document, 'models'));
  if (!Array.isArray(list)) return null;
  return list.flatMap((entry: unknown) => {
    const given = memberOf(entry, 'id') ?? memberOf(entry, 'name');
    const name = typeof given === 'string' ? given.replace(/^models\//, '').trim() : '';
    return name === '' || name.length > MAX_NAME_CHARACTERS ? [] : [name];
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
