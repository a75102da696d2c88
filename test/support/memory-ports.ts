import { type Moment, momentOf } from '../../server/common/moment.js';
import { toQuota, type Quota } from '../../server/common/quota.js';
import { fail, ok, type Result } from '../../server/common/result.js';
import type { Caller, CallShape, FinishedCall, OutputLimits } from '../../server/relay-core/model/call.js';
import type { RelayError } from '../../server/relay-core/model/relay-error.js';
import type { Usage } from '../../server/relay-core/model/usage.js';
import type { RelayPorts } from '../../server/relay-core/pipeline/context/relay-ports.js';
import { AbandonedReads } from '../../server/relay-core/pipeline/context/abandoned-reads.js';
import { RetryBudget } from '../../server/relay-core/pipeline/context/retry-budget.js';
import { AdmissionControl } from '../../server/relay-core/ports/admission-control.js';
import { CallJournal, type FailedCall } from '../../server/relay-core/ports/call-journal.js';
import { CallerDirectory } from '../../server/relay-core/ports/caller-directory.js';
import { type ChannelRequest, ChannelHealth } from '../../server/relay-core/ports/channel-health.js';
import { ChannelPicker, type Route } from '../../server/relay-core/ports/channel-picker.js';
import { Clock } from '../../server/common/clock.js';
import { MediaFetcher, type FetchedMedia } from '../../server/relay-core/ports/media-fetcher.js';
import { type TokenExchange, VendorTokens } from '../../server/relay-core/ports/vendor-tokens.js';
import type { UpstreamRequest } from '../../server/relay-core/ports/http-sender.js';
import { type WorstCase, PriceBook, type Quote } from '../../server/relay-core/ports/price-book.js';
import { QuotaHolds, type Hold, type RateWindow } from '../../server/relay-core/ports/quota-holds.js';
import { RelayOptionsSource, type RelayOptions } from '../../server/relay-core/ports/relay-options.js';
import type { TaskOrigin } from '../../server/relay-core/model/task.js';
import { TaskOrigins } from '../../server/relay-core/ports/task-origins.js';
import { TokenCounter } from '../../server/relay-core/ports/token-counter.js';
import { MemorySender } from './memory-sides.js';
import { findProvider } from '../../server/relay-core/providers/registry.js';

/** Time that moves only when it is told to. */
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

/** One quota per input token and two per output token, for the models it knows. */
export class MemoryPrices extends PriceBook {
  readonly models = new Set<string>();
  /** Output tokens held for a call without a cap. */
  assumedOutput = 100;

  override hasPrice(_caller: Caller, model: string): boolean {
    return this.models.has(model);
  }

  override quote(_caller: Caller, shape: CallShape): Result<Quote, RelayError> {
    if (!this.models.has(shape.model)) {
      return fail({
        kind: 'price-missing',
        blame: 'gateway',
        message: `The price of ${shape.model} is not set.`,
      });
    }
    const charge = ({ input, output }: Usage): Quota => toQuota((input.total ?? 0) + 2 * (output.total ?? 0));
    const worstCaseOf = ({ outputCap, otherCap = 0, choices }: OutputLimits): WorstCase => {
      const assumed = shape.heldOutput?.tokens ?? Math.max(this.assumedOutput, otherCap);
      const outputTokens = (outputCap ?? assumed) * choices;
      return {
        estimate: charge({ input: { total: shape.promptTokens }, output: { total: outputTokens } }),
        outputTokens,
        modelOutputCap: undefined,
        choices,
        outputCap,
      };
    };
    const asked = worstCaseOf(shape);
    return ok({
      snapshot: {
        mode: 'call',
        model: shape.model,
        group: 'default',
        price: '0',
        groupRatio: '1',
        quotaPerUnit: 500_000,
        revision: 1,
      },
      estimate: asked.estimate,
      promptEstimate: toQuota(shape.promptTokens),
      heldOutputTokens: asked.outputTokens,
      worstCaseOf,
      charge,
    });
  }
}

/** A balance, holds against it, and settlements out of it. Refuses what a real desk would refuse. */
export class MemoryQuota extends QuotaHolds {
  balance = 1_000_000;
  readonly holds = new Map<string, Quota>();
  readonly settled: FinishedCall[] = [];
  /** What each settled call held in the end. */
  readonly heldInTheEnd: Quota[] = [];
  readonly released: string[] = [];
  readonly dispatches: { readonly channelId: number; readonly attempt: number }[] = [];
  readonly checkpoints: Usage[] = [];
  extensions = 0;
  /** As the pools of a single process do. */
  answersAtOnce = false;
  /** Set to make the spool fail. */
  spoolFault: Error | null = null;
  /** Called when a settlement is on record. */
  onSettled: () => void = () => undefined;

  override reserve(input: {
    readonly callId: string;
    readonly quote: Quote;
    readonly affordable?: boolean;
  }): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>> {
    const held = this.hold(input);
    return this.answersAtOnce ? held : Promise.resolve(held);
  }

  private hold(input: {
    readonly callId: string;
    readonly quote: Quote;
    readonly affordable?: boolean;
  }): Result<Hold, RelayError> {
    const wanted = input.quote.estimate;
    const amount = input.affordable === true ? toQuota(Math.min(wanted, this.balance)) : wanted;
    if (amount > this.balance || (wanted > 0 && amount <= 0)) return fail(INSUFFICIENT);
    this.balance -= amount;
    this.holds.set(input.callId, amount);
    return ok({ callId: input.callId, amount });
  }

  override async recordDispatch(_hold: Hold, channelId: number, attempt: number): Promise<void> {
    if (this.spoolFault !== null) throw this.spoolFault;
    this.dispatches.push({ channelId, attempt });
  }

  override recordCheckpoint(_hold: Hold, usage: Usage): void {
    this.checkpoints.push(usage);
  }

  override async extend(hold: Hold, by: Quota): Promise<Result<Hold, RelayError>> {
    if (by > this.balance) return fail(INSUFFICIENT);
    this.balance -= by;
    this.extensions += 1;
    const amount = toQuota((this.holds.get(hold.callId) ?? 0) + by);
    this.holds.set(hold.callId, amount);
    return ok({ callId: hold.callId, amount });
  }

  override async settle(hold: Hold, call: FinishedCall): Promise<void> {
    const amount = this.holds.get(hold.callId);
    if (amount === undefined) return;
    this.holds.delete(hold.callId);
    this.heldInTheEnd.push(amount);
    this.balance += amount - call.priced;
    this.settled.push(call);
    this.onSettled();
  }

  override release(hold: Hold): void {
    const amount = this.holds.get(hold.callId);
    if (amount === undefined) return;
    this.holds.delete(hold.callId);
    this.balance += amount;
    this.released.push(hold.callId);
  }
}

const INSUFFICIENT: RelayError = {
  kind: 'quota-insufficient',
  blame: 'caller',
  scope: 'user',
  message: 'Your quota is used up.',
};

/** Routes in order: attempt after attempt the next one that was not tried. */
export class MemoryChannels extends ChannelPicker {
  readonly routes: Route[] = [];

  override pick(input: {
    readonly model: string;
    readonly tried: readonly number[];
  }): Result<Route, RelayError> {
    const route = this.routes.find(({ channelId }) => !input.tried.includes(channelId)) ?? this.routes.at(-1);
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

  /** When the channels were asked. */
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
    defaultMaxTokens: { default: 8_192 },
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

/** Every port, in memory: one caller with key `sk-test`, one channel, one priced model `gpt-test`. */
/** Where earlier tasks are. */
export class MemoryOrigins extends TaskOrigins {
  readonly asked: TaskOrigin[] = [];
  found: Result<number, RelayError> = ok(1);

  override async findChannel(_caller: Caller, origin: TaskOrigin): Promise<Result<number, RelayError>> {
    this.asked.push(origin);
    return this.found;
  }
}

export class MemoryPorts implements RelayPorts {
  readonly callers = new MemoryCallers();
  readonly admission = new MemoryAdmission();
  readonly prices = new MemoryPrices();
  readonly quota = new MemoryQuota();
  readonly channels = new MemoryChannels();
  readonly health = new MemoryHealth();
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
  readonly gateway = { via: '1.1 tollgate-0123456789abcdef' };
  readonly findProvider = findProvider;

  constructor() {
    this.callers.known.set('sk-test', aCaller());
    this.prices.models.add('gpt-test');
    this.channels.routes.push(aRoute());
  }
}
