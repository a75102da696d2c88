import { isIP, isIPv6 } from 'node:net';
import { parsePrivateHost, type PrivateHost } from '../../config/private-hosts.js';
import { HOST_LIST_VARIABLES, type HostListInForce, type HostListName } from './outbound-callers.js';
import { normaliseAddress } from './special-addresses.js';

/** Kind of a connection to a host. */
export interface HostUse {
  readonly port: number;
  /** Scheme as in a URL, with its colon. */
  readonly scheme: string;
}

/** Ports an address of this kind means when it names none. */
export const USUAL_PORTS: Readonly<Record<string, readonly number[]>> = {
  'http:': [80],
  'https:': [443],
  'socks:': [1080],
  'smtp:': [25, 465, 587],
  'mysql:': [3306],
  'postgres:': [5432],
};

/** Private hosts that are open to one kind of caller. Fails: the constructor throws for an entry that is none. */
export class HostList {
  private readonly hosts: readonly PrivateHost[];
  private readonly opensEveryPort: boolean;

  constructor(name: HostListName, { entries, opensEveryPort }: HostListInForce) {
    this.opensEveryPort = opensEveryPort;
    this.hosts = entries.map((entry) => {
      const host = parsePrivateHost(entry);
      if (host === undefined) throw new Error(`${HOST_LIST_VARIABLES[name]}: ${entry} is no host or range`);
      return host;
    });
  }

  /** True when the host itself is named, as a name or an address: only then is plain http allowed with it. */
  namesHost(hostname: string, use: HostUse): boolean {
    const name = nameOf(hostname);
    return this.hosts.some((host) => {
      if (!this.hasPort(host, use)) return false;
      if (host.kind === 'range') return host.address === name;
      return host.kind === 'name' ? host.name === name : name.endsWith(host.suffix);
    });
  }

  /** True when the list opens this address of the host. */
  opens(hostname: string, address: string, use: HostUse): boolean {
    if (this.hosts.length === 0) return false;
    if (this.namesHost(hostname, use)) return true;
    const normalised = normaliseAddress(address);
    if (isIP(normalised) === 0) return false;
    const family = isIPv6(normalised) ? 'ipv6' : 'ipv4';
    return this.hosts.some(
      (host) => host.kind === 'range' && this.hasPort(host, use) && host.range.check(normalised, family),
    );
  }

  private hasPort({ ports }: PrivateHost, { port, scheme }: HostUse): boolean {
    if (typeof ports === 'number') return ports === port;
    return ports === 'all' || this.opensEveryPort || (USUAL_PORTS[scheme] ?? []).includes(port);
  }
}

const nameOf = (hostname: string): string => normaliseAddress(hostname).toLowerCase().replace(/\.$/, '');
