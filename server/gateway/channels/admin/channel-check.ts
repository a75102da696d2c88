import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { OutboundPolicy, OutboundRefusal } from '../../../infra/http-client/safe-url.js';
import { proxyOf } from '../state/channel-documents.js';
import {
  type ChannelColumns,
  type ChannelFields,
  checkChannelFields,
  type StoredParts,
} from '../state/channel-rules.js';

/** The rules of channels, and which addresses may be called. */
@Injectable()
export class ChannelCheck {
  constructor(private readonly policy: OutboundPolicy) {}

  /**
   * The members that are present, as columns; asks the outbound policy about addresses when they are typed, not at the first call.
   * Fails: DomainError naming the member and what is wrong with it; channel_address_refused with the policy's reason.
   */
  async fields(fields: ChannelFields, stored?: StoredParts): Promise<Partial<ChannelColumns>> {
    const columns = checkChannelFields(fields, stored);
    const { baseUrl = '', setting = '' } = columns;
    const proxy = proxyOf(setting);
    try {
      // A word that stands for an address was looked up in our own table.
      if (URL.canParse(baseUrl)) await this.policy.check(baseUrl, 'channel');
      if (proxy !== '') this.policy.checkProxy(new URL(proxy));
    } catch (error) {
      if (error instanceof OutboundRefusal)
        throw new DomainError('channel_address_refused', { reason: error.message });
      throw error;
    }
    return columns;
  }
}
