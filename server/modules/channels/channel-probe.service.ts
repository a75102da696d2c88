import { Injectable } from '@nestjs/common';
import type { Result } from '../../common/result.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { Route } from '../../relay-core/ports/channel-picker.js';
import { HttpSender } from '../../relay-core/ports/http-sender.js';
import { findProvider } from '../../relay-core/providers/registry.js';
import { notFound, type ProbeOptions, type ProbeResult, ProbeCall } from './probe-call.js';
import { ChannelStore } from './channel-store.js';
import { type ChannelRow, routeOf } from './channel-snapshot.js';
import { readModelList } from './upstream-model-list.js';

/** An upstream that is not stored (yet). */
export interface UnstoredChannel {
  readonly type: number;
  readonly baseUrl: string;
  readonly key: string;
  readonly proxy?: string;
}

const NO_MODEL = '';

/** Questions to an upstream outside of calls: does it answer, and what does it have. */
@Injectable()
export class ChannelProbe {
  constructor(
    private readonly channels: ChannelStore,
    private readonly sender: HttpSender,
    private readonly calls: ProbeCall,
  ) {}

  /** One small call through the whole relay to this channel only; no balance is moved. Never throws for an upstream's fault. */
  async test(channelId: number, options: ProbeOptions): Promise<ProbeResult> {
    const stored = await this.channels.open(channelId);
    if (stored === null) return notFound(channelId);
    const model = modelToTest(stored.channel, options.model);
    return this.calls.run(routeOf(toRow(stored.channel, stored.key), model), model, options);
  }

  /** Fails: not-found, not-implemented, upstream-*; the message is for the operator. */
  async fetchModels(channelId: number): Promise<Result<readonly string[], RelayError>> {
    const stored = await this.channels.open(channelId);
    if (stored === null)
      return { ok: false, error: { kind: 'not-found', blame: 'caller', message: 'Channel not found.' } };
    return this.listModels(routeOf(toRow(stored.channel, firstLine(stored.key)), NO_MODEL));
  }

  /** The same for a channel that is being typed. */
  async fetchModelsOf(channel: UnstoredChannel): Promise<Result<readonly string[], RelayError>> {
    const setting =
      channel.proxy === undefined || channel.proxy === '' ? '' : JSON.stringify({ proxy: channel.proxy });
    return this.listModels(
      routeOf(
        {
          id: 0,
          type: channel.type,
          name: '',
          status: 1,
          baseUrl: channel.baseUrl.replace(/\/+$/, ''),
          credential: firstLine(channel.key),
          organization: '',
          other: '',
          modelMapping: '',
          statusCodeMapping: '',
          paramOverride: '',
          setting,
          autoBan: false,
        },
        NO_MODEL,
      ),
    );
  }

  private async listModels(route: Route): Promise<Result<readonly string[], RelayError>> {
    const provider = findProvider(route.channelType);
    return provider.ok ? readModelList(this.sender, provider.value, route) : provider;
  }
}

type StoredRow = NonNullable<Awaited<ReturnType<ChannelStore['open']>>>['channel'];

/** Model named by the operator, else the channel's test model, else its first, else a common small one (relay reference 6.1). */
function modelToTest(channel: StoredRow, asked: string | undefined): string {
  const candidates = [asked, channel.testModel, channel.models.split(',')[0]];
  return candidates.map((name) => name?.trim() ?? '').find((name) => name !== '') ?? 'gpt-4o-mini';
}

const firstLine = (key: string): string => key.trim().split(/[\r\n]/, 1)[0] ?? '';

const toRow = (channel: StoredRow, credential: string): ChannelRow => ({
  id: channel.id,
  type: channel.type,
  name: channel.name,
  status: channel.status,
  baseUrl: channel.baseUrl,
  credential,
  organization: channel.openAiOrganization,
  other: channel.other,
  modelMapping: channel.modelMapping,
  statusCodeMapping: channel.statusCodeMapping,
  paramOverride: channel.paramOverride,
  setting: channel.setting,
  autoBan: channel.autoBan === 1,
});
