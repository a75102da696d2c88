import { contained } from '../../common/contain-faults.js';
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { HostList, type HostUse, USUAL_PORTS } from './host-list.js';
import {
  HOST_LIST_VARIABLES,
  type HostListName,
  type HostListSettings,
  hostListsInForce,
  OUTBOUND_CALLERS,
  type OutboundCaller,
} from './outbound-callers.js';
import { type AddressClass, classifyAddress, normaliseAddress } from './special-addresses.js';

/** A destination that policy forbids. The message is for the operator who configured the destination, never for API callers. */
export class OutboundRefusal extends Error {
  readonly code = 'ERR_OUTBOUND_REFUSED';
}

export interface OutboundPolicySettings extends HostListSettings {
  /** The server listens on loopback only: channels may then point at this machine and its network. */
  readonly isLoopback: boolean;
}

type Resolve = (
  hostname: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Ports of databases, queues and control planes: no model API uses them. */
const REFUSED_PORTS = new Set([
  1433, 1434, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 4369, 5432, 5433, 5672, 5984, 6379, 6380, 7687,
  8086, 9042, 9092, 9160, 9200, 9300, 10_250, 10_255, 11_211, 16_379, 26_379, 27_017, 27_018, 27_019, 28_015,
  33_060,
]);

/** Relay, implicit TLS, submission. */
const MAIL_PORTS = new Set([25, 465, 587]);

const METADATA_NAMES = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]);

const OWN_ADDRESSES_MAX_AGE_MS = 30_000;

const resolveAll: Resolve = (hostname, callback) =>
  systemLookup(hostname, { all: true, order: 'verbatim' }, (error, addresses) =>
    callback(error, addresses ?? []),
  );

/** Decides which addresses outbound calls may reach. One instance per process. */
export class OutboundPolicy {
  private readonly lists: Readonly<Record<HostListName, HostList>>;
  private ownAddresses: ReadonlySet<string> = new Set();
  private ownAddressesReadAtMs = -Infinity;
  /** Addresses, names and ports that were refused since the process began; addresses that are none at all do not count. */
  refusals = 0;

  constructor(
    private readonly settings: OutboundPolicySettings,
    private readonly resolve: Resolve = resolveAll,
  ) {
    const { channels, identity, services, users } = hostListsInForce(settings);
    this.lists = {
      channels: new HostList('channels', channels),
      identity: new HostList('identity', identity),
      services: new HostList('services', services),
      users: new HostList('users', users),
    };
  }

  /**
   * Parses an address and checks everything that needs no name resolution: scheme, credentials, port, literal address.
   * Fails: throws OutboundRefusal.
   */
  parse(address: string, caller: OutboundCaller): URL {
    if (!URL.canParse(address)) throw new OutboundRefusal('This is not a valid address.');
    const url = new URL(address);
    const isEncrypted = url.protocol === 'https:';
    if (!isEncrypted && url.protocol !== 'http:')
      throw new OutboundRefusal('Only http and https addresses can be called.');
    if (url.username !== '' || url.password !== '')
      throw new OutboundRefusal('An address must not contain a user name or password.');
    const { callsPlainHttp, list } = OUTBOUND_CALLERS[caller];
    const use = hostUseOf(url);
    if (!isEncrypted && !callsPlainHttp && !this.lists[list].namesHost(url.hostname, use)) {
      throw new OutboundRefusal(
        'Only https addresses can be called here. ' +
          `An operator allows http by naming the host in ${HOST_LIST_VARIABLES[list]}.`,
      );
    }
    this.checkPort(url);
    this.checkHost(url.hostname, caller, use);
    return url;
  }

  /** Why `parse` would refuse, in words. Asking is no attempt to call, so nothing is counted. */
  complaintAbout(address: string, caller: OutboundCaller): string | undefined {
    const counted = this.refusals;
    try {
      this.parse(address, caller);
      return undefined;
    } catch (error) {
      if (error instanceof OutboundRefusal) return error.message;
      throw error;
    } finally {
      this.refusals = counted;
    }
  }

  /** Like `parse`, and resolves the name once so that a refusal shows when the address is typed, not at the first call. */
  async check(address: string, caller: OutboundCaller): Promise<URL> {
    const url = this.parse(address, caller);
    if (isIP(bareHost(url.hostname)) !== 0) return url;
    const use = hostUseOf(url);
    await new Promise<void>((settle, refuse) => {
      this.resolve(url.hostname, (error, addresses) => {
        const refusal = error === null ? this.refusalOfAny(url.hostname, addresses, caller, use) : null;
        // A name that does not resolve now may do so later; only an address that must not be reached is refused.
        if (refusal === null) settle();
        else refuse(refusal);
      });
    });
    return url;
  }

  /** Host and port of a proxy typed for a channel; the same rules as for the channel's own address. */
  checkProxy(url: URL): void {
    this.checkPort(url);
    this.checkHost(url.hostname, 'channel', hostUseOf(url));
  }

  /**
   * Host and port of a mail server named in the options: the rules of `service`, with the ports mail is handed over at.
   * Fails: throws OutboundRefusal.
   */
  checkMailServer(hostname: string, port: number): void {
    if (REFUSED_PORTS.has(port) || (port < 1024 && !MAIL_PORTS.has(port))) {
      throw new OutboundRefusal(
        `Port ${port} is never called for mail: use 25, 465, 587 or a port above 1023 that is not a data store's.`,
      );
    }
    this.checkHost(hostname, 'service', { port, scheme: 'smtp:' });
  }

  /**
   * Checks a database server that root named, by the rules of `service`, and resolves its name.
   * @returns the checked address, to connect to: its name may mean another one later
   * Fails: OutboundRefusal, or the error of the name resolution.
   */
  async checkDatabaseServer(hostname: string, use: HostUse): Promise<string> {
    if (use.port < 1024)
      throw this.refuse(`Port ${use.port} is never called for a database: use a port above 1023.`);
    this.checkHost(hostname, 'service', use);
    if (isIP(hostname) !== 0) return hostname;
    return new Promise((resolve, reject) => {
      this.lookupFor('service', use)(hostname, {}, (error, address) => {
        if (error === null) resolve(String(address));
        else reject(error);
      });
    });
  }

  /**
   * Name resolution for `net.connect`: resolves once, checks every address, hands over exactly the checked ones, so that a
   * name cannot change its meaning between check and connection.
   */
  lookupFor(caller: OutboundCaller, use: HostUse): LookupFunction {
    return (hostname, options, callback) => {
      const found: Parameters<typeof this.resolve>[1] = (error, addresses) => {
        if (error !== null) return callback(error, '', 0);
        const refusal = this.refusalOfAny(hostname, addresses, caller, use);
        if (refusal !== null) return callback(refusal, '', 0);
        const wanted =
          options.family === 4 || options.family === 6
            ? addresses.filter((one) => one.family === options.family)
            : addresses;
        const first = wanted[0];
        if (first === undefined) return callback(new Error(`no address for ${hostname}`), '', 0);
        if (options.all === true) callback(null, wanted);
        else callback(null, first.address, first.family);
      };
      const giveUp = (): void => callback(new Error(`the addresses of ${hostname} could not be used`), '', 0);
      this.resolve(hostname, contained(found, giveUp));
    };
  }

  /**
   * Returns true when an address that a caller named to an upstream is closed to users; one that is counts as a refusal. Scheme and port are the
   * upstream's affair.
   */
  isClosedToUsers(host: { readonly hostname: string; readonly address: string }, use: HostUse): boolean {
    return this.refusalOf(host, 'user', use) !== null;
  }

  /** Returns true when the name is a metadata service's; one that is counts as a refusal. */
  isMetadataName(hostname: string): boolean {
    if (!METADATA_NAMES.has(hostname)) return false;
    this.refusals += 1;
    return true;
  }

  /** Returns true when the address is not one of the public internet, or is this machine's own. */
  isInside(address: string): boolean {
    return classifyAddress(address) !== 'public' || this.isOwnAddress(address);
  }

  /** Addresses of a name; none when it does not resolve. */
  addressesOf(hostname: string): Promise<readonly string[]> {
    return new Promise((settle) => {
      this.resolve(hostname, (error, addresses) => {
        settle(error === null ? addresses.map(({ address }) => address) : []);
      });
    });
  }

  private checkPort(url: URL): void {
    if (url.port === '') return;
    const port = Number(url.port);
    if ((port < 1024 && port !== 80 && port !== 443) || REFUSED_PORTS.has(port)) {
      throw this.refuse(
        `Port ${port} is never called: use 80, 443 or a port above 1023 that is not a data store's.`,
      );
    }
  }

  private checkHost(hostname: string, caller: OutboundCaller, use: HostUse): void {
    const host = bareHost(hostname).toLowerCase();
    if (METADATA_NAMES.has(host.replace(/\.$/, ''))) throw this.refuse('Metadata services are never called.');
    if (isIP(host) === 0) return;
    const refusal = this.refusalOf({ hostname: host, address: host }, caller, use);
    if (refusal !== null) throw refusal;
  }

  private refusalOfAny(
    hostname: string,
    addresses: readonly LookupAddress[],
    caller: OutboundCaller,
    use: HostUse,
  ): OutboundRefusal | null {
    for (const { address } of addresses) {
      const refusal = this.refusalOf({ hostname, address }, caller, use);
      if (refusal !== null) return refusal;
    }
    return null;
  }

  private refusalOf(
    { hostname, address }: { readonly hostname: string; readonly address: string },
    caller: OutboundCaller,
    use: HostUse,
  ): OutboundRefusal | null {
    const meaning = classifyAddress(address);
    if (meaning === 'metadata') return this.refuse('Metadata services are never called.');
    const { list, isAtHomeOnLoopback } = OUTBOUND_CALLERS[caller];
    if (this.lists[list].opens(hostname, address, use)) return null;
    if (meaning === 'public' && !this.isOwnAddress(address)) return null;
    if (isAtHomeOnLoopback && this.settings.isLoopback && meaning !== 'special') return null;
    return this.refuse(
      `${hostname} is ${describe(meaning)}: such addresses are not called. ` +
        `An operator allows it by naming the host, address or range with its port (${use.port}) in ${HOST_LIST_VARIABLES[list]}.`,
    );
  }

  private refuse(message: string): OutboundRefusal {
    this.refusals += 1;
    return new OutboundRefusal(message);
  }

  private isOwnAddress(address: string): boolean {
    const now = performance.now();
    if (now - this.ownAddressesReadAtMs > OWN_ADDRESSES_MAX_AGE_MS) {
      const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
      this.ownAddresses = new Set(all.map((one) => normaliseAddress(one.address)));
      this.ownAddressesReadAtMs = now;
    }
    return this.ownAddresses.has(normaliseAddress(address));
  }
}

const bareHost = (hostname: string): string =>
  hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;

function describe(meaning: AddressClass): string {
  if (meaning === 'loopback') return 'an address of this machine';
  if (meaning === 'private') return 'an address of a private network';
  if (meaning === 'link-local') return 'a link-local address';
  if (meaning === 'public') return 'an address of this machine';
  return 'an address with a special purpose';
}

/** Port and scheme a connection for this address is made with. */
export function hostUseOf(url: URL): HostUse {
  const scheme = url.protocol.startsWith('socks') ? 'socks:' : url.protocol;
  return { scheme, port: url.port === '' ? (USUAL_PORTS[scheme]?.[0] ?? 0) : Number(url.port) };
}
