import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { fetchBounded } from '../../infra/http/fetch-bounded.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { HttpSender } from '../../relay-core/ports/http-sender.js';
import { OptionsService } from '../options/options.service.js';
import { BALANCE_READERS, type ProviderBalance } from './balance-readers.js';
import { BackgroundJobs } from './background-jobs.js';
import { CHANNEL_STATUS, CHANNEL_TYPE } from './channel.codes.js';
import { proxyOf } from './channel-documents.js';
import { ChannelStore } from './channel-store.js';
import { ChannelSwitch } from './channel-switch.js';
import { ChannelTypes } from './channel-types.js';
import { type ChannelRow, ChannelsRepository } from './channels.repository.js';

/** Name of the job that reads all balances. */
export const BALANCE_JOB = 'channel-balance';

const LIMITS = { timeoutMs: 10_000, maxBytes: 256 * 1024 };
const OK = 200;

/** What is left in an operator's account at a provider. */
@Injectable()
export class ChannelBalanceService {
  private readonly logger = new Logger(ChannelBalanceService.name);

  constructor(
    private readonly channels: ChannelsRepository,
    private readonly store: ChannelStore,
    private readonly types: ChannelTypes,
    private readonly sender: HttpSender,
    private readonly switcher: ChannelSwitch,
    private readonly jobs: BackgroundJobs,
    private readonly options: OptionsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Asks the provider and stores the answer with its time.
   * @returns US dollars
   * Fails: not_found, channel_balance_unsupported, channel_balance_failed.
   */
  async refresh(channelId: number): Promise<number> {
    const opened = await this.store.open(channelId);
    if (opened === null) throw new DomainError('not_found');
    const { channel, key } = opened;
    const read = BALANCE_READERS.get(channel.type);
    if (read === undefined) throw new DomainError('channel_balance_unsupported');
    const nowMs = this.clock.nowMs();
    const balance = await this.ask(channel, () =>
      read((path) => this.getDocument(channel, key, path), nowMs),
    );
    const dollars = this.toDollars(balance);
    await this.channels.record(channelId, { balance: dollars, balanceUpdatedTime: Math.floor(nowMs / 1000) });
    return dollars;
  }

  /** The same for every enabled channel that has a balance to read, in the background. Fails: channel_job_running. */
  async refreshAll(): Promise<void> {
    const rows = await this.channels.byStatus([CHANNEL_STATUS.enabled]);
    const steps = rows
      .filter((row) => BALANCE_READERS.has(row.type))
      .map((row) => async () => {
        const dollars = await this.refresh(row.id);
        const mayDisable = this.options.values().AutomaticDisableChannelEnabled;
        if (dollars <= 0 && mayDisable)
          await this.switcher.disable(row.id, 'nothing is left at the provider');
        return true;
      });
    if (!(await this.jobs.start(BALANCE_JOB, steps))) throw new DomainError('channel_job_running');
  }

  private async ask(channel: ChannelRow, read: () => Promise<ProviderBalance>): Promise<ProviderBalance> {
    try {
      return await read();
    } catch (error) {
      // What the provider said may hold anything; the operator's log gets the kind of fault, the caller a fixed sentence.
      this.logger.warn(`balance of channel ${channel.id}: ${error instanceof Error ? error.name : 'failed'}`);
      throw new DomainError('channel_balance_failed');
    }
  }

  private async getDocument(channel: ChannelRow, key: string, path: string): Promise<unknown> {
    const proxy = proxyOf(channel.setting);
    const reply = await fetchBounded(
      this.sender,
      {
        method: 'GET',
        url: `${this.baseOf(channel)}${path}`,
        headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
        body: undefined,
        ...(proxy === '' ? {} : { proxy }),
      },
      LIMITS,
    );
    if (!reply.ok) throw new Error(reply.error.kind);
    if (reply.value.status !== OK) throw new Error(`status ${reply.value.status}`);
    return JSON.parse(reply.value.body.toString('utf8'));
  }

  /** Billing routes stand beside the API, so a version typed at the end of the address is not part of them. */
  private baseOf(channel: ChannelRow): string {
    const { baseUrl, type } = channel;
    const named = this.types.namedAddress(baseUrl) ?? baseUrl;
    const address = named === '' ? this.types.defaultBaseUrl(type) : named;
    const base = type === CHANNEL_TYPE.custom ? new URL(address).origin : address;
    return base.replace(/\/v1$/, '');
  }

  private toDollars(balance: ProviderBalance): number {
    const yuanPerDollar = this.options.values().Price;
    return balance.currency === 'USD' || yuanPerDollar <= 0 ? balance.amount : balance.amount / yuanPerDollar;
  }
}
