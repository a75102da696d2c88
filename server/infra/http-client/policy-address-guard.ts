import { isIP } from 'node:net';
import type { Clock } from '../../common/clock.js';
import { AddressGuard, type NamedHost } from '../../relay-core/ports/address-guard.js';
import { NameLookups } from './name-lookups.js';
import type { OutboundPolicy } from './safe-url.js';

/** The outbound policy's rules for addresses of users, applied to addresses that upstreams fetch. */
export class PolicyAddressGuard extends AddressGuard {
  private readonly names: NameLookups;

  constructor(
    private readonly policy: OutboundPolicy,
    clock: Clock,
  ) {
    super();
    this.names = new NameLookups((name) => policy.addressesOf(name), clock);
  }

  override isClosed({ name, address, port, scheme }: NamedHost): boolean {
    if (this.policy.isMetadataName(name)) return true;
    return (
      address !== undefined && this.policy.isClosedToUsers({ hostname: name, address }, { port, scheme })
    );
  }

  override isInside(baseUrl: string): boolean | Promise<boolean> {
    if (!URL.canParse(baseUrl)) return false;
    const host = new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0) return this.policy.isInside(host);
    return this.names.lookUp(host).then((addresses) => addresses.some((each) => this.policy.isInside(each)));
  }

  override async resolvesClosed({ name, port, scheme }: NamedHost): Promise<boolean> {
    const addresses = await this.names.lookUp(name);
    return addresses.some((address) =>
      this.policy.isClosedToUsers({ hostname: name, address }, { port, scheme }),
    );
  }
}
