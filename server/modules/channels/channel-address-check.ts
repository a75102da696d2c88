import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { OutboundPolicy, OutboundRefusal } from '../../infra/http/safe-url.js';
import { proxyOf } from './channel-documents.js';

/** Asks the outbound policy about the addresses of a channel when they are typed, not at the first call (CH-03). */
@Injectable()
export class ChannelAddressCheck {
  constructor(private readonly policy: OutboundPolicy) {}

  /** Fails: channel_address_refused with the policy's reason. */
  async check(channel: { readonly baseUrl?: string; readonly setting?: string }): Promise<void> {
    const { baseUrl = '', setting = '' } = channel;
    const proxy = proxyOf(setting);
    try {
      // A word that stands for an address was looked up in our own table.
      if (URL.canParse(baseUrl)) await this.policy.check(baseUrl, 'relay');
      if (proxy !== '') this.policy.checkProxyHost(new URL(proxy).hostname, 'relay');
    } catch (error) {
      if (error instanceof OutboundRefusal)
        throw new DomainError('channel_address_refused', { reason: error.message });
      throw error;
    }
  }
}
