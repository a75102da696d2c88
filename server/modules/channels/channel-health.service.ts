import { Injectable, Logger } from '@nestjs/common';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { ChannelHealth } from '../../relay-core/ports/channel-health.js';
import type { Route } from '../../relay-core/ports/channel-picker.js';
import { LOG_TYPE } from '../logs/log.codes.js';
import { LogWriter } from '../logs/log-writer.js';
import { OptionsService } from '../options/options.service.js';
import { evidenceAgainstChannel } from './channel-evidence.js';
import { ChannelProbe } from './channel-probe.service.js';
import { ChannelRest } from './channel-rest.js';
import { ChannelSwitch } from './channel-switch.js';

/** What calls say about channels: short rests in memory, and the lasting switch to status 3 when there is evidence for it. */
@Injectable()
export class StoredChannelHealth extends ChannelHealth {
  private readonly logger = new Logger('ChannelHealth');
  /** Channels whose disabling is being confirmed. */
  private readonly underSuspicion = new Set<number>();

  constructor(
    private readonly options: OptionsService,
    private readonly rest: ChannelRest,
    private readonly probe: ChannelProbe,
    private readonly channels: ChannelSwitch,
    private readonly logs: LogWriter,
  ) {
    super();
  }

  override recordSuccess(route: Route, _firstByteMs: number | undefined, _durationMs: number): void {
    this.rest.recordSuccess(route.channelId, route.upstreamModel);
  }

  override recordFailure(route: Route, error: RelayError): void {
    if (error.blame !== 'upstream') return;
    switch (error.kind) {
      case 'upstream-request-rejected':
        // What the caller sent was refused: that says nothing about the channel.
        return;
      case 'upstream-rate-limited':
      case 'upstream-quota-spent':
        this.rest.coolDown(route.channelId, route.upstreamModel, error.retryAfterMs);
        break;
      case 'upstream-key-refused':
      case 'upstream-overloaded':
      case 'upstream-timeout':
      case 'upstream-unreachable':
      case 'upstream-malformed':
      case 'upstream-broken':
        this.rest.recordFailure(route.channelId, route.upstreamModel);
        break;
    }
    if (route.autoBan) this.suspect(route.channelId, error);
  }

  /** Whether a failure counts as evidence under the operator's options: the reason, or null. */
  evidenceOf(error: RelayError): string | null {
    const values = this.options.values();
    return values.AutomaticDisableChannelEnabled
      ? evidenceAgainstChannel(error, values.AutomaticDisableKeywords)
      : null;
  }

  /** One user's call is not enough: a test of our own must meet the same refusal (UP-07). */
  private suspect(channelId: number, error: RelayError): void {
    const reason = this.evidenceOf(error);
    if (reason === null || this.underSuspicion.has(channelId)) return;
    this.underSuspicion.add(channelId);
    this.confirm(channelId, reason)
      .catch((fault: unknown) => {
        // The next failing call tries again.
        this.logger.warn(`channel ${channelId} could not be disabled: ${String(fault)}`);
      })
      .finally(() => this.underSuspicion.delete(channelId));
  }

  private async confirm(channelId: number, reason: string): Promise<void> {
    const test = await this.probe.test(channelId, {});
    if (test.success || test.error === undefined || this.evidenceOf(test.error) === null) return;
    if (!(await this.channels.disable(channelId, reason))) return;
    const content = `Channel ${channelId} was disabled automatically: ${reason}`;
    this.logger.warn(content);
    await this.logs.write({
      type: LOG_TYPE.system,
      userId: 0,
      username: '',
      content,
      other: { admin_info: { channel_id: channelId } },
    });
  }
}
