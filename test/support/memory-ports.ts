import { createHash } from 'node:crypto';
import { type Moment, momentOf } from '../../server/common/moment.js';
import { fail, ok, type Result } from '../../server/common/result.js';
import type { Caller, CallShape } from '../../server/relay-core/model/call.js';
import type { RelayError } from '../../server/relay-core/model/relay-error.js';
import type { RelayPorts } from '../../server/relay-core/pipeline/context/relay-ports.js';
import { AbandonedReads } from '../../server/relay-core/pipeline/context/abandoned-reads.js';
import { RetryBudget } from '../../server/relay-core/pipeline/context/retries.js';
import { AdmissionControl } from '../../server/relay-core/ports/admission-control.js';
import {
  CallJournal,
  type FailedCall,
  type UnchargedAttempts,
} from '../../server/relay-core/ports/call-journal.js';
import { CallerDirectory } from '../../server/relay-core/ports/caller-directory.js';
import { type ChannelRequest, ChannelHealth } from '../../server/relay-core/ports/channel-health.js';
import { ChannelPicker, type Route } from '../../server/relay-core/ports/channel-picker.js';
import { Clock } from '../../server/common/clock.js';
import { MediaFetcher, type FetchedMedia } from '../../server/relay-core/ports/media-fetcher.js';
import { type TokenExchange, VendorTokens } from '../../server/relay-core/ports/vendor-tokens.js';
import type { UpstreamRequest } from '../../server/relay-core/ports/http-sender.js';
import type { RateWindow } from '../../server/relay-core/ports/quota-holds.js';
import { RelayOptionsSource, type RelayOptions } from '../../server/relay-core/ports/relay-options.js';
import type { TaskOrigin } from '../../server/relay-core/model/task.js';
import { TaskOrigins } from '../../server/relay-core/ports/task-origins.js';
import { TokenCounter } from '../../server/relay-core/ports/token-counter.js';
import { MemoryChannelLimits } from './fixtures/channel-limits.fixture.js';
import { MemoryPrices, MemoryQuota } from './memory-money.js';
import { MemorySender } from './memory-sides.js';
import { findProvider } from '../../server/relay-core/providers/registry.js';

/** Time that moves only on request. */
export class MemoryClock extends Clock {
  private now = 1_800_000_000_000;
  private nextId = 0;
  private readonly timers = new Map<number, { readonly dueMs: number; readonly action: () => void }>();

  override nowMs(): Moment {
    return momentOf(this.now);
  }

  override monotonicMs(): number {
    return this.now - 1_700_000_000_000;
  }

  override after(delayMs: number, action: () => void): () => void {
    const id = this.nextId++;
    this.timers.set(id, { dueMs: this.now + delayMs, action });
    return () => this.timers.delete(id);
  }

  /** Timers that still wait; 0 = nothing leaks. */
  get waiting(): number {
    return this.timers.size;
  }

  /** Runs every timer due within the span, in order. */
  advance(byMs: number): void {
    const until = this.now + byMs;
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.dueMs <= until);
      const [next] = due.sort(([, left], [, right]) => left.dueMs - right.dueMs);
      if (next === undefined) break;
      const [id, timer] = next;
      this.timers.delete(id);
      this.now = Math.max(this.now, timer.dueMs);
      timer.action();
    }
    this.now = until;
  }
}

/** Callers by credential. */
export class MemoryCallers extends CallerDirectory {
  readonly known = new Map<string, Caller>();

  override identify(credential: string): Result<Caller, RelayError> {
    const caller = this.known.get(credential);
    return caller === undefined
      ? fail({ kind: 'unauthenticated', blame: 'caller', message: 'Invalid API key.' })
      : ok(caller);
  }

  override async findClosure(): Promise<RelayError | null> {
    return null;
  }
}

/** Admits what the token's model limits allow. */
export class MemoryAdmission extends AdmissionControl {
  windows: readonly RateWindow[] = [];
  readonly successes: number[] = [];

  override admit(caller: Caller, shape: CallShape): Result<readonly RateWindow[], RelayError> {
    if (caller.modelLimits !== null && !caller.modelLimits.has(shape.model)) {
      return fail({ kind: 'model-refused', blame: 'caller', message: `No access to model ${shape.model}.` });
    }
    return ok(this.windows);
  }

  override countRequest(): Result<unknown, RelayError> {
    return ok(undefined);
  }

  override recordSuccess(caller: Caller): void {
    this.successes.push(caller.userId);
  }
}

/** Routes in order: attempt after attempt the next one that was not tried. */
export class MemoryChannels extends ChannelPicker {
  readonly routes: Route[] = [];

  override pick(input: {
    readonly model: string;
    readonly tried: readonly number[];
    readonly passedOver?: readonly number[] | undefined;
  }): Result<Route, RelayError> {
    const open = this.routes.filter(({ channelId }) => input.passedOver?.includes(channelId) !== true);
    const route = open.find(({ channelId }) => !input.tried.includes(channelId)) ?? open.at(-1);
    return route === undefined
      ? fail({
          kind: 'channel-unavailable',
          blame: 'gateway',
          message: `No channel for model ${input.model} in group default.`,
        })
      : ok(route);
  }

  override hasUntried({ tried }: { readonly tried: readonly number[] }): boolean {
    return this.routes.some(({ channelId }) => !tried.includes(channelId));
  }

  override modelsOf(): readonly string[] {
    return [];
  }
}

export class MemoryHealth extends ChannelHealth {
  readonly successes: number[] = [];
  readonly failures: { readonly channelId: number; readonly kind: string }[] = [];

  /** Start times of requests to channels. */
  readonly startedAtMs: number[] = [];

  override recordSuccess(route: Route, asked: ChannelRequest): void {
    this.successes.push(route.channelId);
    this.startedAtMs.push(asked.startedAtMs);
  }

  override recordFailure(route: Route, error: RelayError, asked: ChannelRequest): void {
    this.failures.push({ channelId: route.channelId, kind: error.kind });
    this.startedAtMs.push(asked.startedAtMs);
  }
}

export class MemoryJournal extends CallJournal {
  readonly failures: FailedCall[] = [];
  readonly attempts: UnchargedAttempts[] = [];

  override countAttempts(call: UnchargedAttempts): void {
    this.attempts.push(call);
  }

  override recordFailure(call: FailedCall): void {
    this.failures.push(call);
  }
}

/** One token per word, so that expected figures can be counted by eye. */
export class WordCounter extends TokenCounter {
  override estimate(text: string): number {
    return text.split(/\s+/).filter((word) => word !== '').length;
  }

  override async count(text: string): Promise<number> {
    return this.estimate(text);
  }
}

export const aCaller = (changes: Partial<Caller> = {}): Caller => ({
  userId: 7,
  username: 'ada',
  tokenId: 3,
  tokenName: 'test',
  tokenLimited: false,
  group: 'default',
  modelLimits: null,
  acceptsUnsetPrice: false,
  pinnedChannelId: null,
  ...changes,
});

export const aRoute = (changes: Partial<Route> = {}): Route => ({
  channelId: 1,
  channelName: 'first',
  channelType: 1,
  baseUrl: 'https://upstream.example',
  credential: 'sk-upstream-credential-0001',
  organization: '',
  other: '',
  upstreamModel: 'gpt-test',
  isModelMapped: false,
  paramOverride: undefined,
  headerOverride: undefined,
  statusMapping: undefined,
  settings: {},
  autoBan: true,
  ...changes,
});

const NO_SWITCHES = { passesNotifyHook: false, passesAccountFilter: false, clearsModes: false };

export const someOptions = (changes: Partial<RelayOptions> = {}): RelayOptions => ({
  retryTimes: 2,
  passThroughRequests: false,
  drawings: NO_SWITCHES,
  pingEnabled: false,
  pingIntervalMs: 10_000,
  logErrors: true,
  sensitiveWords: [],
  firstByteTimeoutMs: 60_000,
  idleTimeoutMs: 30_000,
  maxResponseBytes: 1024 * 1024,
  abandonedReadSeconds: 15,
  claude: {
    defaultMaxTokens: {},
    headers: {},
    isThinkingAdapterOn: true,
    thinkingBudgetShare: 0.8,
  },
  gemini: {
    safetySettings: { default: 'OFF' },
    versions: { default: 'v1beta' },
    imageModels: [],
    isThinkingAdapterOn: false,
    thinkingBudgetShare: 0.6,
    addsThoughtSignatures: true,
    dropsFunctionResponseIds: true,
  },
  ...changes,
});

/** Files by address; any other address is refused. */
export class MemoryMedia extends MediaFetcher {
  readonly files = new Map<string, FetchedMedia>();

  override async fetchFile(url: string): Promise<Result<FetchedMedia, RelayError>> {
    const file = this.files.get(url);
    if (file !== undefined) return { ok: true, value: file };
    const message = 'The file could not be fetched.';
    return { ok: false, error: { kind: 'invalid-request', blame: 'caller', message } };
  }
}

/** Access tokens by what they belong to, and the requests that would have fetched others. */
export class MemoryVendorTokens extends VendorTokens {
  readonly known = new Map<string, string>();
  readonly requests: UpstreamRequest[] = [];

  override async tokenOf(key: string, { request }: TokenExchange): Promise<Result<string, RelayError>> {
    this.requests.push(request());
    return { ok: true, value: this.known.get(key) ?? 'vendor-token' };
  }

  override forget(key: string): void {
    this.known.delete(key);
  }
}

class MemoryOptions extends RelayOptionsSource {
  value = someOptions();

  override current(): RelayOptions {
    return this.value;
  }
}

/** Places of earlier tasks. */
export class MemoryOrigins extends TaskOrigins {
  readonly asked: TaskOrigin[] = [];
  found: Result<number, RelayError> = ok(1);

  override async findChannel(_caller: Caller, origin: TaskOrigin): Promise<Result<number, RelayError>> {
    this.asked.push(origin);
    return this.found;
  }
}

/** Every port, in memory: one caller with key `sk-test`, one channel, one priced model `gpt-test`. */
export class MemoryPorts implements RelayPorts {
  readonly callers = new MemoryCallers();
  readonly admission = new MemoryAdmission();
  readonly prices = new MemoryPrices();
  readonly quota = new MemoryQuota();
  readonly channels = new MemoryChannels();
  readonly health = new MemoryHealth();
  readonly limits = new MemoryChannelLimits();
  readonly origins = new MemoryOrigins();
  readonly sender = new MemorySender();
  readonly media = new MemoryMedia();
  readonly tokens = new MemoryVendorTokens();
  readonly counter = new WordCounter();
  readonly journal = new MemoryJournal();
  readonly clock = new MemoryClock();
  readonly options = new MemoryOptions();
  readonly retries = new RetryBudget();
  readonly abandoned = new AbandonedReads();
  readonly gateway = {
    via: '1.1 tollgate-0123456789abcdef',
    digestOf: (userId: string) => createHash('sha256').update(userId).digest('hex'),
  };
  readonly findProvider = findProvider;

  constructor() {
    this.callers.known.set('sk-test', aCaller());
    this.prices.models.add('gpt-test');
    this.channels.routes.push(aRoute());
  }
}
