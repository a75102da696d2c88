import { getOrAdd } from '../../common/get-or-add.js';
import { Injectable, Logger } from '@nestjs/common';
import { fail, ok, type Result } from '../../common/result.js';
import { LimitShares } from '../../infra/rate-limit/limit-shares.js';
import { SharedStore, StoreUnavailableError, userWindowKey } from '../../infra/shared-store/shared-store.js';
import type { Caller, CallShape } from '../../relay-core/model/call.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { AdmissionControl } from '../../relay-core/ports/admission-control.js';
import type { RateWindow } from '../../relay-core/ports/quota-holds.js';
import { CachedChannelPicker } from '../channels/routing/cached-channel-picker.js';
import { isModelListed } from '../../relay-core/model/model-family.js';
import type { OptionValues } from '../../base/options/option-catalogue.js';
import { OptionsService } from '../../base/options/options.service.js';

const ADMITTED = ok(undefined);
const NO_WINDOWS: readonly RateWindow[] = [];

/** Limits of one group: requests per period, failures included (0 = none), and successful requests per period. */
interface RequestLimits {
  readonly total: number;
  readonly success: number;
  readonly windowMs: number;
  readonly minutes: number;
}

interface UserWindows {
  readonly group: string;
  /** The success window first. */
  readonly windows: readonly RateWindow[];
}

const MAX_KNOWN_USERS = 10_000;
/** Time after which a full window of successes is tried again. */
const RETRY_FULL_MS = 5_000;

/** The model limits of a token, and the request windows of the options. */
@Injectable()
export class RateLimitAdmission extends AdmissionControl {
  private readonly logger = new Logger('Admission');
  private readonly limitsByGroup = new Map<string, RequestLimits>();
  private readonly windowsByUser = new Map<number, UserWindows>();
  private isLimited = false;
  private counting: Promise<void> | undefined;

  constructor(
    private readonly options: OptionsService,
    private readonly store: SharedStore,
    private readonly picker: CachedChannelPicker,
    private readonly shares: LimitShares,
  ) {
    super();
    this.follow();
    options.onChange(() => this.follow());
  }

  override admit(caller: Caller, shape: CallShape): Result<readonly RateWindow[], RelayError> {
    // A pinned call is an administrator's test of a channel: the token's model list does not concern it.
    if (
      caller.modelLimits !== null &&
      caller.pinnedChannelId === null &&
      !isModelListed(caller.modelLimits, shape.model)
    ) {
      return fail(modelRefused(caller.modelLimits, shape.model));
    }
    // Before the price: a misspelt model is better reported as not served.
    const served =
      caller.pinnedChannelId === null ? this.picker.checkServed(caller.group, shape.model) : ok(true);
    if (!served.ok) return served;
    return ok(this.isLimited ? this.windowsOf(caller).windows : NO_WINDOWS);
  }

  override countRequest(caller: Caller): Result<unknown, RelayError> | Promise<Result<unknown, RelayError>> {
    if (!this.isLimited) return ADMITTED;
    const { windows } = this.windowsOf(caller);
    return this.store.isAvailable ? this.countInStore(windows) : this.countInShares(windows);
  }

  private async countInStore(windows: readonly RateWindow[]): Promise<Result<unknown, RelayError>> {
    try {
      for (const window of windows) {
        const { key, limit, windowMs, mode } = window;
        if (mode === 'peek') {
          if ((await this.store.windows.count(key, windowMs)) >= limit)
            return windowFull(window, RETRY_FULL_MS);
          continue;
        }
        const verdict = await this.store.windows.admit(key, limit, windowMs);
        if (!verdict.admitted) return windowFull(window, verdict.retryAfterMs);
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError))
        this.logger.warn(`a request could not be counted: ${String(error)}`);
      return this.countInShares(windows);
    }
    if (this.store.pools.isRemote) this.shares.note(windows);
    return ADMITTED;
  }

  private countInShares(windows: readonly RateWindow[]): Result<unknown, RelayError> {
    const full = this.shares.admit(windows);
    const window = full === null ? undefined : windows[full.index];
    return full === null || window === undefined ? ADMITTED : windowFull(window, full.retryAfterMs);
  }

  override recordSuccess(caller: Caller): void {
    if (!this.isLimited) return;
    const { windows } = this.windowsOf(caller);
    const success = windows[0];
    if (success === undefined) return;
    if (this.store.pools.isRemote) this.shares.record(success.key, success.windowMs);
    // A success that is not counted lets one more call through; the call itself went well. The store's health check reports it.
    if (!this.store.isAvailable) return;
    const counting = this.store.windows.record(success.key, success.windowMs);
    // Calls that are counted together share a promise.
    if (counting === this.counting) return;
    this.counting = counting;
    counting.catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError))
        this.logger.warn(`a successful call could not be counted: ${String(error)}`);
    });
  }

  /** Kept, since a busy account asks thousands of times for the same. */
  private windowsOf({ userId, group }: Caller): UserWindows {
    let known = this.windowsByUser.get(userId);
    if (known?.group !== group) {
      known = { group, windows: windowsOf(userId, this.limitsOf(group)) };
      if (this.windowsByUser.size >= MAX_KNOWN_USERS) this.windowsByUser.clear();
      this.windowsByUser.set(userId, known);
    }
    return known;
  }

  private limitsOf(group: string): RequestLimits {
    return getOrAdd(this.limitsByGroup, group, () => readLimits(this.options.values(), group));
  }

  private follow(): void {
    this.limitsByGroup.clear();
    this.windowsByUser.clear();
    const { ModelRequestRateLimitEnabled: isOn, ModelRequestRateLimitDurationMinutes: minutes } =
      this.options.values();
    // A period without length holds no request.
    this.isLimited = isOn && minutes > 0;
  }
}

/** The success window is looked at first: a full one must not use up a place in the total. */
function windowsOf(userId: number, limits: RequestLimits): readonly RateWindow[] {
  const { total, success, windowMs, minutes } = limits;
  const windows: RateWindow[] = [
    {
      key: userWindowKey(userId, 'successes'),
      limit: success,
      windowMs,
      mode: 'peek',
      refusal: refusal('successes-full', { most: success, period: minutesText(minutes) }).message,
    },
  ];
  if (total > 0) {
    windows.push({
      key: userWindowKey(userId, 'requests'),
      limit: total,
      windowMs,
      mode: 'count',
      refusal: refusal('requests-full', { most: total, period: minutesText(minutes) }).message,
    });
  }
  return windows;
}

function readLimits(values: OptionValues, group: string): RequestLimits {
  const groups = values.ModelRequestRateLimitGroup;
  const own = Object.hasOwn(groups, group) ? groups[group] : undefined;
  const [total, success] = own ?? [
    values.ModelRequestRateLimitCount,
    values.ModelRequestRateLimitSuccessCount,
  ];
  const minutes = values.ModelRequestRateLimitDurationMinutes;
  return { total, success: Math.max(1, success), windowMs: minutes * 60_000, minutes };
}

const windowFull = (window: RateWindow, retryAfterMs: number): Result<never, RelayError> =>
  fail({ ...refusal('too-often'), message: window.refusal, retryAfterMs });

const minutesText = (minutes: number): string => (minutes === 1 ? '1 minute' : `${minutes} minutes`);

const modelRefused = (limits: ReadonlySet<string>, model: string): RelayError => ({
  ...(limits.size === 0 ? refusal('key-without-models') : refusal('key-without-model', { model })),
  param: 'model',
});
