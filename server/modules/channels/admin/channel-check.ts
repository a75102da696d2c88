import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { OutboundPolicy, OutboundRefusal } from '../../../infra/http-client/safe-url.js';
import { proxyOf } from '../state/channel-documents.js';
import {
  type ChannelColumns,
  type ChannelFields,
  checkChannelFields,
  type Destination,
  movesElsewhere,
  type StoredParts,
} from '../state/channel-rules.js';
import { ChannelTypes } from '../state/channel-types.js';

/** The rules of channels together with the facts they need: what types there are, and which addresses may be called. */
@Injectable()
export class ChannelCheck {
  constructor(
    private readonly types: ChannelTypes,
    private readonly policy: OutboundPolicy,
  ) {}

  /** The members that are present, as columns. Fails: DomainError naming the member and what is wrong with it. */
  fields(fields: ChannelFields, stored?: StoredParts): Partial<ChannelColumns> {
    return checkChannelFields(fields, this.types, stored);
  }

  /** The same, and asks the outbound policy about addresses when they are typed, not at the first call. */
  async fieldsAndAddresses(fields: ChannelFields, stored?: StoredParts): Promise<Partial<ChannelColumns>> {
    const columns = this.fields(fields, stored);
    await this.addresses(columns);
    return columns;
  }

  movesElsewhere(before: Destination, after: Destination): boolean {
    return movesElsewhere(before, after, this.types);
  }

  /** Fails: channel_address_refused with the policy's reason. */
  private async addresses({ baseUrl = '', setting = '' }: Partial<ChannelColumns>): Promise<void> {
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
  }
}
