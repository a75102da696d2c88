import type { IncomingHttpHeaders } from 'node:http';
import { canonicalAddress } from '../ip-address.js';
import type { ProxyTrust } from './client-address.js';

export interface OwnHostSettings {
  /** The server listens on loopback only. */
  readonly isLoopback: boolean;
  /** Null = no proxy stands before us. */
  readonly trust: ProxyTrust | null;
  /** Addresses this installation is published under, as they are now: another list when they change. */
  readonly addresses: () => readonly string[];
}

/** Name or address of a Host field, without its port. */
const HOST_FIELD = /^(\[[\da-f:.]+\]|[^\s:/?#@\\[\]]+)(?::\d{0,5})?$/i;
/** Headers that proxies add and browsers never send. */
const PROXY_FIELDS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/** Returns true when a name or address always means this machine, under any DNS. */
export function isLoopbackHost(host: string): boolean {
  const address = canonicalAddress(host);
  if (address !== null) return address === '::1' || address.startsWith('127.');
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Under which names this installation is called. A page whose name was led to this machine (DNS rebinding) sends that name, and
 * a server that listens on loopback only has no business with it.
 */
export class OwnHosts {
  /** The last field that was ours: clients send the same one with every request. */
  private lastOwn = '';
  private addresses: readonly string[] = [];
  private names: ReadonlySet<string> = new Set();

  constructor(private readonly settings: OwnHostSettings) {}

  /**
   * Returns true when the request may be answered.
   * @param host  Host header; undefined, as in HTTP/1.0, cannot come from a browser
   * @param peer  address of the connection; the operator published whatever a trusted proxy forwards
   */
  answers(host: string | undefined, peer: string): boolean {
    const { isLoopback, trust } = this.settings;
    if (!isLoopback || host === undefined || host === '' || this.isNamed(host)) return true;
    return trust !== null && trust(canonicalAddress(peer) ?? peer, 0);
  }

  /** Returns true when a Host header has a name of this machine or of SERVER_ADDRESS. */
  isNamed(host: string): boolean {
    const addresses = this.settings.addresses();
    if (addresses !== this.addresses) this.readNames(addresses);
    if (host === this.lastOwn && host !== '') return true;
    const name = nameIn(host);
    if (name === undefined || !(isLoopbackHost(name) || this.names.has(name))) return false;
    this.lastOwn = host;
    return true;
  }

  /**
   * Returns true when the client itself used one of our names. Behind a proxy the name of this machine proves nothing: many proxies
   * write it in place of the requested one.
   * @param host  host the client used, as trusted proxies report it
   */
  isKnownHost(host: string, headers: IncomingHttpHeaders): boolean {
    if (!this.isNamed(host)) return false;
    const name = nameIn(host) ?? '';
    return this.names.has(name) || PROXY_FIELDS.every((field) => headers[field] === undefined);
  }

  private readNames(addresses: readonly string[]): void {
    this.addresses = addresses;
    this.lastOwn = '';
    const names = addresses.map((address) => nameIn(URL.parse(address)?.host ?? ''));
    this.names = new Set(names.filter((name) => name !== undefined));
  }
}

function nameIn(host: string): string | undefined {
  const name = HOST_FIELD.exec(host)?.[1];
  return name && (canonicalAddress(name) ?? name.toLowerCase().replace(/\.$/, ''));
}
