import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses of one network. */
export interface AddressRange {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** A dotted address and its port, which may be hidden (RFC 7239, section 6.3); a mapped one may stand without brackets. */
const WITH_PORT = /^([\da-f:]*\.[\d.]+):(?:\d{1,5}|_[\w.-]+)$/i;
const IN_BRACKETS = /^\[([^[\]]*)\](?::(?:\d{1,5}|_[\w.-]+))?$/;

/**
 * The one text an address has here, whatever way it was written: without brackets and zone, a mapped IPv4 address as what it
 * stands for, IPv6 lower-case and shortened.
 * @returns null for what is no address; `127.1` and `010.0.0.1` are none
 */
export function canonicalAddress(text: string): string | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return null;
  const zone = bare.indexOf('%');
  const parsed = ipaddr.IPv6.parse(zone === -1 ? bare : bare.slice(0, zone));
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.toString();
}

/** Same as `canonicalAddress` for a client address in a proxy header: ignores a port behind it. */
export function addressOfNode(text: string): string | null {
  if (isIPv4(text)) return text;
  const match = WITH_PORT.exec(text) ?? IN_BRACKETS.exec(text);
  return canonicalAddress(match?.[1] ?? text);
}

/** One address or a range as `10.0.0.0/8`. @returns null for anything else */
export function readRange(text: string): AddressRange | null {
  const [base = '', prefix, ...rest] = text.split('/');
  const address = canonicalAddress(base);
  if (address === null || rest.length > 0) return null;
  const isV4 = isIPv4(address);
  const bits = isV4 ? 32 : 128;
  // A mapped IPv4 range is written with the prefix of IPv6.
  const mappedBits = isV4 && base.includes(':') ? 96 : 0;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) - mappedBits : -1;
  if (length < 0 || length > bits) return null;
  return { address, prefix: length, family: isV4 ? 'ipv4' : 'ipv6' };
}
