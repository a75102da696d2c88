import ipaddr from 'ipaddr.js';

/**
 * Key of an address limit: an IPv4 address, or the /64 network of an IPv6 address, since one customer has all of it.
 * Text that is no address counts as itself.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip.slice(0, 64);
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
