import { Injectable } from '@nestjs/common';
import { ZERO_QUOTA } from '../../../common/quota.js';
import { fail, ok } from '../../../common/result.js';
import type { Caller } from '../../../relay-core/model/call.js';
import { refusal } from '../../../relay-core/model/refusals.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { RelayPorts } from '../../../relay-core/pipeline/context/relay-ports.js';
import { RetryBudget } from '../../../relay-core/pipeline/context/retries.js';
import type { AttemptUse } from '../../../relay-core/model/channel-use.js';
import { type ChannelAdmission, ChannelLimits } from '../../../relay-core/ports/channel-limits.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { NO_WORST_CASE, type Quote } from '../../../relay-core/ports/price-book.js';
import { RelayOptionsSource } from '../../../relay-core/ports/relay-options.js';
import { VendorTokens } from '../../../relay-core/ports/vendor-tokens.js';
import { UpstreamPorts } from '../upstream/upstream-ports.js';
import { findProvider } from '../../../relay-core/providers/registry.js';

/** A caller without an account: the ports below move no money. */
const PROBER: Caller = {
  userId: 0,
  username: '',
  tokenId: null,
  tokenName: 'model test',
  tokenLimited: false,
  group: '',
  modelLimits: null,
  acceptsUnsetPrice: true,
  pinnedChannelId: null,
  isChannelTest: true,
};

/** Ports of a channel test: the relay's own network; no charge, no routing, no affinity. */
@Injectable()
export class ProbePorts {
  constructor(
    private readonly upstream: UpstreamPorts,
    private readonly tokens: VendorTokens,
    private readonly options: RelayOptionsSource,
    private readonly limits: ChannelLimits,
  ) {}

  /** @param failures  everything that went wrong is added to it, in order */
  to(route: Route, failures: RelayError[]): RelayPorts {
    const { sender, media, counter, gateway, clock } = this.upstream;
    const options = { ...this.options.current(), retryTimes: 0, pingEnabled: false, sensitiveWords: [] };
    return {
      callers: { identify: () => ok(PROBER), findClosure: async () => null },
      admission: {
        admit: () => ok([]),
        countRequest: () => ok(undefined),
        recordSuccess: () => undefined,
      },
      prices: { quote: () => ok(FREE), hasPrice: () => true },
      quota: {
        reserve: async ({ callId }) => ok({ callId, amount: ZERO_QUOTA }),
        recordDispatch: async () => undefined,
        recordCheckpoint: () => undefined,
        extend: async (hold) => ok(hold),
        settle: async (_hold, finished) => {
          if (finished.outcome !== 'ok')
            failures.push({
              kind: 'upstream-broken',
              blame: 'upstream',
              message: finished.note,
              ...(finished.vendorSays === undefined ? {} : { vendorSays: finished.vendorSays }),
            });
        },
        release: () => undefined,
      },
      channels: {
        pick: ({ attempt, passedOver = [] }) =>
          attempt === 0 && passedOver.length === 0 ? ok(route) : fail(refusal('none-left')),
        view: () => undefined,
        hasUntried: () => false,
        isOn: () => true,
        modelsOf: () => [],
      },
      health: { recordSuccess: () => undefined, recordFailure: () => undefined },
      journal: { countAttempts: () => undefined, recordFailure: ({ error }) => failures.push(error) },
      limits: countedBeside(this.limits),
      sender,
      media,
      counter,
      gateway,
      clock,
      tokens: this.tokens,
      options: { current: () => options },
      retries: new RetryBudget(),
      findProvider,
    };
  }
}

/** No settlement books the use of a test: it is counted when the test ends. */
const countedBeside = (limits: ChannelLimits): ChannelLimits => ({
  concerns: (route, model) => limits.concerns(route, model),
  findFull: (route, model) => limits.findFull(route, model),
  admit: async (attempt) => {
    const verdict = await limits.admit(attempt);
    if (verdict.type === 'full' || verdict.admission === undefined) return verdict;
    const { admission } = verdict;
    return { type: 'admitted', admission: new TestAdmission(admission) };
  },
});

class TestAdmission implements ChannelAdmission {
  readonly marks = undefined;

  constructor(private readonly admission: ChannelAdmission) {}

  grow(by: AttemptUse): boolean | Promise<boolean> {
    return this.admission.grow(by);
  }

  markSent(): void {
    this.admission.markSent();
  }

  settle(used: AttemptUse): void {
    this.admission.count(used);
  }

  count(used: AttemptUse): void {
    this.admission.count(used);
  }

  release(): void {
    this.admission.release();
  }
}

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
  heldOutputTokens: Number.MAX_SAFE_INTEGER,
  worstCaseOf: () => NO_WORST_CASE,
  charge: () => ZERO_QUOTA,
};
