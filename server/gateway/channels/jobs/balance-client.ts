import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { fetchBounded } from '../../../infra/http-client/fetch-bounded.js';
import { HttpSender } from '../../../relay-core/ports/http-sender.js';
import { operatorSentence } from '../../../relay-core/model/relay-error.js';
import { readBase } from '../../../relay-core/providers/shared/base-address.js';
import { readFailedReply } from '../../../relay-core/providers/shared/openai-compatible-error.js';
import type { ProviderBalance } from '../../../relay-core/providers/shared/balance.js';
import { proxyOf } from '../state/channel-documents.js';
import { addressOf, balanceReaderOf, formOfType } from '../state/channel-types.js';
import type { ChannelRow } from '../state/channels.repository.js';

const LIMITS = { timeoutMs: 10_000, maxBytes: 256 * 1024 };
const OK = 200;

/** The provider's status and sentence, its key cut out. */
class BalanceRefusedError extends Error {}

/** Asks providers what is left, at the channel's own address and through its own proxy. */
@Injectable()
export class BalanceClient {
  private readonly logger = new Logger(BalanceClient.name);

  constructor(private readonly sender: HttpSender) {}

  /** Fails: channel_balance_unsupported, channel_balance_failed, channel_balance_refused. */
  async read(channel: ChannelRow, key: string, nowMs: number): Promise<ProviderBalance> {
    const readBalance = balanceReaderOf(channel.type);
    if (readBalance === undefined) throw new DomainError('channel_balance_unsupported');
    try {
      return await readBalance((path) => this.getDocument(channel, key, path), nowMs);
    } catch (error) {
      if (error instanceof BalanceRefusedError) {
        this.logger.warn(`balance of channel ${channel.id}: ${error.message}`);
        throw new DomainError('channel_balance_refused', { reason: error.message });
      }
      // A document that is not as documented may hold anything.
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
    if (reply.value.status !== OK)
      throw new BalanceRefusedError(operatorSentence(readFailedReply(reply.value, [key])));
    return JSON.parse(reply.value.body.toString('utf8'));
  }

  /** Billing routes stand beside the API, so a version typed at the end of the address is not part of them. */
  private baseOf(channel: ChannelRow): string {
    const address = addressOf(channel);
    const base = formOfType(channel.type).addressIsComplete === true ? new URL(address).origin : address;
    return readBase(base).root.replace(/\/v1$/, '');
  }
}
