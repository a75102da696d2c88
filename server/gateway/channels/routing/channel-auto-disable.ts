import { Injectable, Logger } from '@nestjs/common';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { ChannelRequest } from '../../../relay-core/ports/channel-health.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { Clock } from '../../../common/clock.js';
import { ChannelProbe } from '../probing/channel-probe.service.js';
import { costsMoney, ENDPOINT_OF_CALL, endpointNamedBy } from '../probing/probe-model.js';
import { ChannelSwitch } from '../state/channel-switch.js';
import type { ProbePlan } from '../state/probe-kinds.js';
import { ChannelFaults } from './channel-fault.js';
import { ChannelNotifications } from './channel-notifications.js';

const CONFIRM_AGAIN_MS = 60_000;
/** Pause between tests of a channel that draw and pay an image without finding a fault. */
const DRAW_AGAIN_MS = 600_000;

/** Switches a channel or key off that calls fail at for good, once a test of our own confirms it. */
@Injectable()
export class ChannelAutoDisable {
  private readonly logger = new Logger('ChannelHealth');
  /** Channels and keys whose failure is being confirmed. */
  private readonly confirming = new Set<string>();
  /** When the failure of each channel was last to be confirmed. */
  private readonly confirmedAtMs = new Map<number, number>();
  /** Time of the last test that drew an image, per channel. */
  private readonly drewAtMs = new Map<number, number>();

  constructor(
    private readonly faults: ChannelFaults,
    private readonly probe: ChannelProbe,
    private readonly channels: ChannelSwitch,
    private readonly news: ChannelNotifications,
    private readonly clock: Clock,
  ) {}

  /** One user's call is not enough: a test of our own must meet the same refusal. */
  confirmAndDisable(route: Route, error: RelayError, request: ChannelRequest): void {
    const reason = this.faults.of(error);
    const name = `${route.channelId}#${route.keyIndex ?? ''}`;
    if (reason === null || this.confirming.has(name)) return;
    this.confirming.add(name);
    this.confirmedAtMs.set(route.channelId, this.clock.monotonicMs());
    this.confirm(route, reason, request)
      .catch((fault: unknown) => {
        // The next failing call tries again.
        this.logger.warn(`channel ${route.channelId} could not be disabled: ${String(fault)}`);
      })
      .finally(() => this.confirming.delete(name));
  }

  /**
   * The same for what the caller may have caused: prompts can provoke phrases, and every confirmation costs a test: one per minute
   * and channel.
   */
  confirmAtMostOncePerMinute(route: Route, error: RelayError, request: ChannelRequest): void {
    const lastMs = this.confirmedAtMs.get(route.channelId) ?? Number.NEGATIVE_INFINITY;
    if (this.clock.monotonicMs() - lastMs >= CONFIRM_AGAIN_MS) this.confirmAndDisable(route, error, request);
  }

  private async confirm(route: Route, reason: string, request: ChannelRequest): Promise<void> {
    const { channelId, keyIndex, credential } = route;
    const confirmed = await this.confirmByTest(route, request);
    if (confirmed === null) return;
    const { test } = confirmed;
    if (keyIndex === undefined) {
      const content = `Channel ${channelId} was disabled automatically: ${reason}`;
      if (await this.channels.disable(channelId, reason, test))
        await this.news.tell({ channelId, change: 'off', content, reason });
      return;
    }
    const outcome = await this.channels.disableKey(channelId, { credential, reason }, test);
    if (outcome === 'nothing') return;
    const what =
      outcome === 'channel'
        ? `Channel ${channelId} and its last key`
        : `Key ${keyIndex} of channel ${channelId}`;
    const content = `${what}: disabled automatically: ${reason}`;
    await this.news.tell({ channelId, change: outcome === 'channel' ? 'off' : 'key', content, reason });
  }

  /**
   * Runs the channel's own test first; when that fails for another reason (its model may be made for something else), a call of the
   * kind that failed. Null = no evidence against the channel.
   */
  private async confirmByTest(
    { channelId, channelType, keyIndex }: Route,
    request: ChannelRequest,
  ): Promise<{ readonly test?: ProbePlan } | null> {
    const own = await this.probe.planOf(channelId, {});
    if (own === null) return null;
    const ofCall = planOfCall(request, channelType);
    for (const plan of ofCall === undefined || isSame(own, ofCall) ? [own] : [own, ofCall]) {
      if (costsMoney(plan.model, plan.endpoint) && !this.mayDraw(channelId)) return null;
      const test = await this.probe.test(channelId, {
        ...plan,
        ...(keyIndex === undefined ? {} : { keyIndex }),
      });
      if (test.success || test.error === undefined) return null;
      if (this.faults.of(test.error) !== null) return plan === own ? {} : { test: plan };
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

/** Test of the same kind as a call's request; undefined = it cannot be repeated without being paid for. */
function planOfCall({ kind, model }: ChannelRequest, channelType: number): ProbePlan | undefined {
  if (kind === 'submit') return undefined;
  const named = kind === 'chat' ? endpointNamedBy(model, channelType) : undefined;
  return { model, endpoint: named ?? ENDPOINT_OF_CALL[kind] };
}

const isSame = (one: ProbePlan, other: ProbePlan): boolean =>
  one.model === other.model && one.endpoint === other.endpoint;
