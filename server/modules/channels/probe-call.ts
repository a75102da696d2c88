import { MediaFetcher } from '../../relay-core/ports/media-fetcher.js';
import { VendorTokens } from '../../relay-core/ports/vendor-tokens.js';
import { Injectable } from '@nestjs/common';
import { ZERO_QUOTA } from '../../common/quota.js';
import { fail, ok } from '../../common/result.js';
import type { Caller } from '../../relay-core/model/call.js';
import { operatorSentence, type RelayError } from '../../relay-core/model/relay-error.js';
import type { RelayPorts } from '../../relay-core/pipeline/relay-ports.js';
import { RetryBudget } from '../../relay-core/pipeline/retry-budget.js';
import { runCall } from '../../relay-core/pipeline/run-call.js';
import type { Route } from '../../relay-core/ports/channel-picker.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { GatewayName } from '../../relay-core/ports/gateway-name.js';
import { HttpSender } from '../../relay-core/ports/http-sender.js';
import { Ids } from '../../relay-core/ports/ids.js';
import { NOTHING_TO_COVER, type Quote } from '../../relay-core/ports/price-book.js';
import { RelayOptionsSource } from '../../relay-core/ports/relay-options.js';
import { TokenCounter } from '../../relay-core/ports/token-counter.js';
import { findProvider } from '../../relay-core/providers/registry.js';
import { answerTextOf, CollectedReply } from './collected-reply.js';
import { canStream, endpointOfModel, findDoor, type ProbeEndpoint } from './probe-endpoints.js';

export interface ProbeOptions {
  /** Empty or absent = the channel's test model. */
  readonly model?: string;
  readonly stream?: boolean;
  /** Absent = what the model's name stands for. */
  readonly endpoint?: ProbeEndpoint | undefined;
  /** Which key of a channel with several; absent = the first that is on. */
  readonly keyIndex?: number;
}

/** What a test of a channel showed. */
export interface ProbeResult {
  readonly success: boolean;
  /** Empty, or what went wrong, for the operator; no keys in it. */
  readonly message: string;
  readonly timeMs: number;
  /** Until the first byte of the answer; undefined = none came. */
  readonly firstTokenMs?: number;
  readonly model: string;
  readonly endpoint?: ProbeEndpoint;
  /** Beginning of what the model said. */
  readonly text: string;
  readonly error?: RelayError;
}

const MAX_TEXT_CHARACTERS = 500;

/** Nobody's account: the null desk below moves no money. */
const PROBER: Caller = {
  userId: 0,
  username: '',
  role: 100,
  tokenId: null,
  tokenName: 'model test',
  tokenLimited: false,
  group: '',
  modelLimits: null,
  acceptsUnsetPrice: true,
  pinnedChannelId: null,
  isChannelTest: true,
};

export const notFound = (channelId: number): ProbeResult => ({
  success: false,
  message: `Channel ${channelId} does not exist.`,
  timeMs: 0,
  model: '',
  text: '',
});

/** Sends one small call through the relay's own pipeline to one given channel: mapping, overrides and proxy as in real calls. */
@Injectable()
export class ProbeCall {
  constructor(
    private readonly sender: HttpSender,
    private readonly media: MediaFetcher,
    private readonly tokens: VendorTokens,
    private readonly counter: TokenCounter,
    private readonly options: RelayOptionsSource,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly gateway: GatewayName,
  ) {}

  async run(
    route: Route,
    model: string,
    { stream = false, endpoint: asked }: ProbeOptions,
  ): Promise<ProbeResult> {
    if (!canBeTested(route.channelType)) return notTestable(model);
    const endpoint = asked ?? endpointOfModel(model, route.channelType);
    const isStream = stream && canStream(endpoint);
    const door = findDoor(endpoint, model, isStream);
    if (door === undefined) return noDoor(model, endpoint);
    const reply = new CollectedReply(this.clock);
    const failures: RelayError[] = [];
    const startedAtMs = this.clock.monotonicMs();
    const call = {
      pathModel: door.pathModel,
      query: door.query,
      callId: this.ids.callId(),
      path: door.path,
      headers: { authorization: 'Bearer probe', 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(door.body)),
      receivedAtMs: this.clock.nowMs(),
      clientAddress: '127.0.0.1',
    };
    await runCall(this.portsTo(route, failures), call, door.dialect, door.route, reply);
    const error = failures.at(-1);
    return {
      success: reply.status === 200 && error === undefined,
      message:
        (error === undefined ? undefined : operatorSentence(error)) ??
        (reply.status === 200 ? '' : `The channel answered with status ${reply.status}.`),
      timeMs: Math.round(this.clock.monotonicMs() - startedAtMs),
      firstTokenMs:
        reply.firstByteAtMs === undefined ? undefined : Math.round(reply.firstByteAtMs - startedAtMs),
      model,
      endpoint,
      text: error === undefined ? answerTextOf(reply.text, isStream).slice(0, MAX_TEXT_CHARACTERS) : '',
      error,
    };
  }

  private portsTo(route: Route, failures: RelayError[]): RelayPorts {
    const options = { ...this.options.current(), retryTimes: 0, pingEnabled: false, sensitiveWords: [] };
    return {
      callers: { identify: () => ok(PROBER), findClosure: async () => null },
      admission: { admit: () => ok([]), recordSuccess: () => undefined },
      prices: { quote: () => ok(FREE) },
      quota: {
        reserve: async ({ callId }) => ok({ callId, amount: ZERO_QUOTA }),
        recordDispatch: async () => undefined,
        recordCheckpoint: () => undefined,
        extend: async (hold) => ok(hold),
        settle: async (_hold, finished) => {
          if (finished.outcome !== 'ok')
            failures.push({ kind: 'upstream-broken', blame: 'upstream', message: finished.note });
        },
        release: () => undefined,
      },
      channels: {
        pick: ({ attempt }) =>
          attempt === 0
            ? ok(route)
            : fail({ kind: 'channel-unavailable', blame: 'gateway', message: 'Only one try is made.' }),
        view: () => undefined,
        hasOthers: () => false,
        modelsOf: () => [],
      },
      health: { recordSuccess: () => undefined, recordFailure: () => undefined },
      journal: { recordFailure: ({ error }) => failures.push(error) },
      sender: this.sender,
      media: this.media,
      tokens: this.tokens,
      counter: this.counter,
      clock: this.clock,
      options: { current: () => options },
      retries: new RetryBudget(),
      gateway: this.gateway,
      findProvider,
    };
  }
}

/** Whether its vendor answers at all: drawings and songs are begun, and paid, by being asked for (relay reference 6.1). */
export function canBeTested(channelType: number): boolean {
  const provider = findProvider(channelType);
  return !provider.ok || Object.keys(provider.value.operations).some((operation) => operation !== 'submit');
}

const notTestable = (model: string): ProbeResult => ({
  success: false,
  message: 'Channels of this type cannot be tested: a test would be drawn or sung, and paid for.',
  timeMs: 0,
  model,
  text: '',
});

const noDoor = (model: string, endpoint: ProbeEndpoint): ProbeResult => ({
  success: false,
  message: `This gateway has no door for ${endpoint} yet.`,
  timeMs: 0,
  model,
  endpoint,
  text: '',
});

/** Costs nothing and covers everything. */
const FREE: Quote = {
  snapshot: {
    mode: 'call',
    model: '',
    group: '',
    price: '0',
    groupRatio: '1',
    quotaPerUnit: 1,
    revision: 0,
  },
  estimate: ZERO_QUOTA,
  promptEstimate: ZERO_QUOTA,
  coveredOutputTokens: Number.MAX_SAFE_INTEGER,
  cover: () => NOTHING_TO_COVER,
  charge: () => ZERO_QUOTA,
};
