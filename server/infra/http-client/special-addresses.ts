import { BlockList, isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { canonicalAddress } from '../../common/ip-address.js';

/** Class of an address, seen from a machine that makes outbound calls. */
export type AddressClass = 'public' | 'loopback' | 'private' | 'link-local' | 'metadata' | 'special';

type Range = readonly [address: string, prefix: number, meaning: Exclude<AddressClass, 'public'>];

/** IANA special-purpose registry for IPv4, and multicast and reserved space (read 2026-11-21). */
const IPV4_RANGES: readonly Range[] = [
  ['169.254.169.254', 32, 'metadata'],
  ['169.254.170.2', 32, 'metadata'],
  ['100.100.100.200', 32, 'metadata'],
  ['168.63.129.16', 32, 'metadata'],
  ['127.0.0.0', 8, 'loopback'],
  ['10.0.0.0', 8, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.168.0.0', 16, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['169.254.0.0', 16, 'link-local'],
  ['0.0.0.0', 8, 'special'],
  ['192.0.0.0', 24, 'special'],
  ['192.0.2.0', 24, 'special'],
  ['192.31.196.0', 24, 'special'],
  ['192.52.193.0', 24, 'special'],
  ['192.88.99.0', 24, 'special'],
  ['192.175.48.0', 24, 'special'],
  ['198.18.0.0', 15, 'special'],
  ['198.51.100.0', 24, 'special'],
  ['203.0.113.0', 24, 'special'],
  ['224.0.0.0', 4, 'special'],
  ['240.0.0.0', 4, 'special'],
];

/** IANA special-purpose registry for IPv6 (read 2026-11-21). Everything outside 2000::/3 is refused as well. */
const IPV6_RANGES: readonly Range[] = [
  ['fd00:ec2::254', 128, 'metadata'],
  ['fd00:ec2::23', 128, 'metadata'],
  ['fd20:ce::254', 128, 'metadata'],
  ['::1', 128, 'loopback'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'link-local'],
  ['2001::', 23, 'special'],
  ['2001:db8::', 32, 'special'],
  ['2002::', 16, 'special'],
  ['2620:4f:8000::', 48, 'special'],
  ['3fff::', 20, 'special'],
];

const lists = [...IPV4_RANGES, ...IPV6_RANGES].map(([address, prefix, meaning]) => {
  const list = new BlockList();
  list.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
  return { list, meaning, family: isIPv6(address) ? 6 : 4 };
});

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** IPv4-mapped (RFC 4291) and the well-known NAT64 prefix (RFC 6052) carry an IPv4 address in their last 32 bits. */
const carriesIpv4 = new BlockList();
carriesIpv4.addSubnet('::ffff:0:0', 96, 'ipv6');
carriesIpv4.addSubnet('64:ff9b::', 96, 'ipv6');

/**
 * Class of an IP address in text form, brackets and zone removed.
 * Text that is not an address counts as special, so that callers refuse it.
 */
export function classifyAddress(text: string): AddressClass {
  const address = bareAddress(text);
  const family = isIP(address);
  if (family === 0) return 'special';
  if (family === 6 && carriesIpv4.check(address, 'ipv6')) return classifyAddress(embeddedIpv4(address));
  const type = family === 6 ? 'ipv6' : 'ipv4';
  for (const entry of lists) {
    if (entry.family === family && entry.list.check(address, type)) return entry.meaning;
  }
  if (family === 6 && !globalUnicast.check(address, 'ipv6')) return 'special';
  return 'public';
}

/** The address in its one form (ip-address.ts); other text without brackets and zone. */
export function normaliseAddress(text: string): string {
  return canonicalAddress(text) ?? bareAddress(text);
}

function bareAddress(text: string): string {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const zone = bare.indexOf('%');
  return zone === -1 ? bare : bare.slice(0, zone);
}

function embeddedIpv4(address: string): string {
  return ipaddr.IPv6.parse(address).toByteArray().slice(12).join('.');
}
