import { Injectable, Logger } from '@nestjs/common';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import { type AskedOfChannel, ChannelHealth } from '../../../relay-core/ports/channel-health.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import { OptionsService } from '../../options/options.service.js';
import { channelFaultOf } from './channel-fault.js';
import { ChannelNotifications } from './channel-notifications.js';
import { ChannelProbe } from '../probing/channel-probe.service.js';
import { ChannelCircuitBreaker, type CircuitTarget } from '../state/channel-circuit-breaker.js';
import { ChannelSwitch } from '../state/channel-switch.js';
import type { ProbePlan } from '../state/probe-kinds.js';
import { costsMoney, ENDPOINT_OF_CALL, endpointNamedBy } from '../probing/probe-model.js';

/** An account without money does not fill up within seconds. */
const SPENT_PAUSE_MS = 60_000;
const LOOK_AGAIN_MS = 60_000;
/** A picture is drawn and paid for where a test finds nothing wrong. */
const DRAW_AGAIN_MS = 600_000;

/** What calls say about channels: short rests in memory, and the lasting switch to status 3 for what is the channel's own fault. */
@Injectable()
export class StoredChannelHealth extends ChannelHealth {
  private readonly logger = new Logger('ChannelHealth');
  /** Channels and keys whose disabling is being confirmed. */
  private readonly underSuspicion = new Set<string>();
  /** When each channel was suspected last. */
  private readonly lookedAtMs = new Map<number, number>();
  /** When a test drew a picture at each channel last. */
  private readonly drewAtMs = new Map<number, number>();

  constructor(
    private readonly options: OptionsService,
    private readonly circuits: ChannelCircuitBreaker,
    private readonly probe: ChannelProbe,
    private readonly channels: ChannelSwitch,
    private readonly news: ChannelNotifications,
    private readonly clock: Clock,
  ) {
    super();
  }

  override recordSuccess(route: Route, _firstByteMs: number | undefined, _durationMs: number): void {
    this.circuits.recordSuccess(targetOf(route));
  }

  override recordFailure(route: Route, error: RelayError, asked: AskedOfChannel): void {
    if (error.blame !== 'upstream') return;
    const theModel = targetOf(route);
    const theChannel: CircuitTarget = { ...theModel, model: '' };
    switch (error.kind) {
      case 'upstream-request-rejected':
        // What the caller sent was refused: it rests for nothing, and only one of the operator's phrases speaks against it.
        if (route.autoBan && this.mayLookAgain(route.channelId)) this.suspect(route, error, asked);
        return;
      case 'upstream-rate-limited':
        this.circuits.restAsAsked(theModel, error.retryAfterMs);
        break;
      case 'upstream-quota-spent':
        this.circuits.restAsAsked(theChannel, error.retryAfterMs ?? SPENT_PAUSE_MS);
        break;
      case 'upstream-key-refused':
        // 403 may mean this model only; 401 means the key.
        this.circuits.restAtOnce(error.upstreamStatus === 403 ? theModel : theChannel);
        break;
      case 'upstream-unreachable':
        this.circuits.recordFailure(theChannel);
        break;
      case 'upstream-overloaded':
      case 'upstream-timeout':
      case 'upstream-malformed':
      case 'upstream-broken':
        this.circuits.recordFailure(theModel);
        break;
    }
    if (route.autoBan) this.suspect(route, error, asked);
  }

  /** Whether a failure is the channel's fault under the operator's options: why, or null. */
  faultOf(error: RelayError): string | null {
    const values = this.options.values();
    return values.AutomaticDisableChannelEnabled
      ? channelFaultOf(error, values.AutomaticDisableKeywords, values.AutomaticDisableStatusCodes)
      : null;
  }

  /** Prompts can provoke phrases, and every suspicion costs a test: one a minute and channel. */
  private mayLookAgain(channelId: number): boolean {
    return (
      this.clock.monotonicMs() - (this.lookedAtMs.get(channelId) ?? Number.NEGATIVE_INFINITY) >= LOOK_AGAIN_MS
    );
  }

  /** One user's call is not enough: a test of our own must meet the same refusal. */
  private suspect(route: Route, error: RelayError, asked: AskedOfChannel): void {
    const reason = this.faultOf(error);
    const name = `${route.channelId}#${route.keyIndex ?? ''}`;
    if (reason === null || this.underSuspicion.has(name)) return;
    this.underSuspicion.add(name);
    this.lookedAtMs.set(route.channelId, this.clock.monotonicMs());
    this.confirm(route, reason, asked)
      .catch((fault: unknown) => {
        // The next failing call tries again.
        this.logger.warn(`channel ${route.channelId} could not be disabled: ${String(fault)}`);
      })
      .finally(() => this.underSuspicion.delete(name));
  }

  private async confirm(route: Route, reason: string, asked: AskedOfChannel): Promise<void> {
    const { channelId, keyIndex, credential } = route;
    const confirmed = await this.meetsTheSame(route, asked);
    if (confirmed === null) return;
    const { test } = confirmed;
    if (keyIndex === undefined) {
      const content = `Channel ${channelId} was disabled automatically: ${reason}`;
      if (await this.channels.disable(channelId, reason, test))
        await this.news.tell({ channelId, change: 'off', content, reason });
      return;
    }
    const outcome = await this.channels.disableKey(channelId, credential, reason, test);
    if (outcome === 'nothing') return;
    const what =
      outcome === 'channel'
        ? `Channel ${channelId} and its last key`
        : `Key ${keyIndex} of channel ${channelId}`;
    const content = `${what}: disabled automatically: ${reason}`;
    await this.news.tell({ channelId, change: outcome === 'channel' ? 'off' : 'key', content, reason });
  }

  /**
   * The channel's own test first; where that fails for another reason (its model may be made for something else), the kind of call
   * that failed. Null = nothing speaks against the channel.
   */
  private async meetsTheSame(
    { channelId, channelType, keyIndex }: Route,
    asked: AskedOfChannel,
  ): Promise<{ readonly test?: ProbePlan } | null> {
    const own = await this.probe.planOf(channelId, {});
    if (own === null) return null;
    const ofCall = planOfCall(asked, channelType);
    for (const plan of ofCall === undefined || isSame(own, ofCall) ? [own] : [own, ofCall]) {
      if (costsMoney(plan.model, plan.endpoint) && !this.mayDraw(channelId)) return null;
      const test = await this.probe.test(channelId, {
        ...plan,
        ...(keyIndex === undefined ? {} : { keyIndex }),
      });
      if (test.success || test.error === undefined) return null;
      if (this.faultOf(test.error) !== null) return plan === own ? {} : { test: plan };
    }
    return null;
  }

  private mayDraw(channelId: number): boolean {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - (this.drewAtMs.get(channelId) ?? Number.NEGATIVE_INFINITY) < DRAW_AGAIN_MS) return false;
    this.drewAtMs.set(channelId, nowMs);
    return true;
  }
}

/** A test of what a call asked; undefined = it cannot be repeated without being paid for. */
function planOfCall({ kind, model }: AskedOfChannel, channelType: number): ProbePlan | undefined {
  if (kind === 'submit') return undefined;
  const named = kind === 'chat' ? endpointNamedBy(model, channelType) : undefined;
  return { model, endpoint: named ?? ENDPOINT_OF_CALL[kind] };
}

const isSame = (one: ProbePlan, other: ProbePlan): boolean =>
  one.model === other.model && one.endpoint === other.endpoint;

const targetOf = ({ channelId, keyIndex, upstreamModel }: Route): CircuitTarget => ({
  channelId,
  keyIndex,
  model: upstreamModel,
});
