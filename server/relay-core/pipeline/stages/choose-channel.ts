import type { Result } from '../../../common/result.js';
import type { RelayError } from '../../model/relay-error.js';
import type { PickInput, Route } from '../../ports/channel-picker.js';
import type { RelayPorts } from '../context/relay-ports.js';
import type { Operation } from '../../model/operation.js';
import type { RelayOptions } from '../../ports/relay-options.js';
import { type ProviderCall, isNative } from '../../providers/provider.js';
import type { ClientCall } from '../context/call-types.js';
import type { Quota } from '../../../common/quota.js';
import type { Attempt, CallShape, FinishedCall } from '../../model/call.js';
import { refusal } from '../../model/refusals.js';
import type { AttemptUse } from '../../model/channel-use.js';
import type { ChannelAdmission, ChannelVerdict, FullChannel } from '../../ports/channel-limits.js';
import { NO_WORST_CASE, type WorstCase } from '../../ports/price-book.js';
import { failedAttempt } from './record-call.js';

/** Output that an attempt without any known bound is admitted for, tokens. */
const UNBOUNDED_OUTPUT = 131_072;

/** Room that the attempts of one call take under the limits of channels. */
export class ChannelRoom {
  /** Admission of the running attempt; undefined = its channel has no limits. */
  admission: ChannelAdmission | undefined;
  /** Channels without room: they are not chosen again for this call. */
  readonly passedOver: number[] = [];
  /** Earliest opening of these, milliseconds since 1970; null = unknown. */
  private opensAtMs: number | null = null;

  constructor(private readonly ports: Pick<RelayPorts, 'limits' | 'clock'>) {}

  /** Set for a channel that is known to be full: nothing is translated for it. */
  findFull(route: Route, model: string): FullChannel | undefined {
    const { limits } = this.ports;
    if (limits === undefined) return undefined;
    return limits.findFull(route, model);
  }

  /**
   * Takes room as `admit` does, for calls that go on when the answer is there.
   * @param onDecided  called once, at once where the answer is known; with a channel that is full
   */
  enter(
    route: Route,
    shape: CallShape,
    worstCaseOf: () => WorstCase,
    onDecided: (full?: FullChannel) => void,
    onFault: (fault: unknown) => void,
  ): void {
    const decide = (verdict?: ChannelVerdict): void => {
      if (verdict?.type === 'full') return onDecided(verdict);
      this.admission = verdict?.admission;
      onDecided();
    };
    const verdict = this.admit(route, shape, worstCaseOf);
    if (verdict instanceof Promise) verdict.then(decide).catch(onFault);
    else decide(verdict);
  }

  /** Takes room for the attempt; what an earlier attempt held is free by then. Never rejects. */
  admit(
    route: Route,
    shape: CallShape,
    worstCaseOf: () => WorstCase,
  ): ChannelVerdict | Promise<ChannelVerdict> | undefined {
    this.release();
    const { limits } = this.ports;
    if (limits === undefined || !limits.concerns(route, shape.model)) return undefined;
    const { channelId, channelTag = '' } = route;
    return limits.admit({ channelId, channelTag, model: shape.model, most: mostOf(shape, worstCaseOf()) });
  }

  /** Takes room for a session, of which no more than its hold is known. @returns set when the channel is full */
  async take(route: Route, shape: CallShape, quota: Quota): Promise<FullChannel | undefined> {
    const known = this.findFull(route, shape.model);
    if (known !== undefined) return known;
    const outputTokens = shape.heldOutput?.tokens ?? 0;
    const worstCase = { ...NO_WORST_CASE, estimate: quota, outputTokens };
    const verdict = await this.admit(route, shape, () => worstCase);
    if (verdict?.type === 'full') return verdict;
    this.admission = verdict?.admission;
    return undefined;
  }

  /** @returns its attempt on the record, which took no time */
  passOver(route: Route, { opensAtMs }: FullChannel): Attempt {
    this.passedOver.push(route.channelId);
    if (opensAtMs !== null) this.opensAtMs = Math.min(this.opensAtMs ?? opensAtMs, opensAtMs);
    const nowMs = this.ports.clock.nowMs();
    return failedAttempt(route, CHANNELS_FULL, nowMs, nowMs, undefined);
  }

  /** The refusal of a call that no other channel is left for; undefined = no channel was passed over. */
  refusal(): RelayError | undefined {
    if (this.passedOver.length === 0) return undefined;
    const { opensAtMs } = this;
    if (opensAtMs === null) return CHANNELS_FULL;
    return { ...CHANNELS_FULL, retryAfterMs: Math.max(0, opensAtMs - this.ports.clock.nowMs()) };
  }

  release(): void {
    this.admission?.release();
    this.admission = undefined;
  }

  /** The finished call with the limits that it counts under. */
  mark(finished: FinishedCall): FinishedCall {
    const marks = this.admission?.marks;
    return marks === undefined ? finished : { ...finished, channelMarks: marks };
  }

  settle({ priced, usage }: Pick<FinishedCall, 'priced' | 'usage'>): void {
    this.admission?.settle(settledUse(priced, usage));
    this.admission = undefined;
  }
}

export const CHANNELS_FULL = refusal('channels-full');

/** Use of a settled call, as booking reads it from its record. */
export const settledUse = (quota: number, { input, output }: FinishedCall['usage']): AttemptUse => ({
  quota,
  inputTokens: wholeTokens(input.total),
  outputTokens: wholeTokens(output.total),
});

const wholeTokens = (tokens: number | undefined): number =>
  Number.isSafeInteger(tokens) && (tokens ?? 0) > 0 ? (tokens ?? 0) : 0;

function mostOf(
  { promptTokens }: CallShape,
  { estimate, outputTokens, outputCap, choices }: WorstCase,
): AttemptUse {
  const capped = outputCap === undefined ? outputTokens : Math.min(outputTokens, outputCap * choices);
  return {
    quota: estimate,
    inputTokens: Math.max(0, Math.ceil(promptTokens)),
    outputTokens:
      Number.isSafeInteger(capped) && capped < Number.MAX_SAFE_INTEGER ? capped : UNBOUNDED_OUTPUT,
  };
}

/** Facts of a call that a provider may look at, without the channel. */
export function providerFacts<O extends Operation>(
  { apiFormat, parsed }: ClientCall<O>,
  options: RelayOptions,
): Omit<ProviderCall, 'route'> {
  const { shape, vendorHeaders, vendorQuery, document } = parsed;
  const facts = { shape, options, clientFormat: apiFormat.id, members: document.members, vendorHeaders };
  return vendorQuery === undefined ? facts : { ...facts, vendorQuery };
}

/**
 * Test for channels whose API is the one of the call.
 * @returns undefined when the operator does not prefer such channels for calls of this group
 */
export function nativeChannels<O extends Operation>(
  ports: Pick<RelayPorts, 'findProvider'>,
  input: {
    readonly clientCall: ClientCall<O>;
    readonly operation: O;
    readonly options: RelayOptions;
    readonly group: string;
  },
): ((route: Route) => boolean) | undefined {
  const { clientCall, operation, options, group } = input;
  if (options.prefersNative?.(group) !== true) return undefined;
  const facts = providerFacts(clientCall, options);
  return (route) => {
    const provider = ports.findProvider(route.channelType);
    return provider.ok && isNative(provider.value, operation, { ...facts, route });
  };
}

/**
 * Stage 6: which channel, and under which name does it know the model?
 * Fails: channel-unavailable; invalid-request, when the prompt is too long for all; forbidden, when the key's channel does not serve.
 */
export function chooseChannel(
  ports: Pick<RelayPorts, 'channels'>,
  input: PickInput,
): Result<Route, RelayError> {
  return ports.channels.pick(input);
}
