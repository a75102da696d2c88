import { BlockList, isIP } from 'node:net';
import { readRange } from '../common/ip-address.js';

/** Ports a host is opened at: one, all that are called at all, or those its kind of address means without naming one. */
export type HostPorts = number | 'all' | 'usual';

/** An entry of a list of private hosts. */
export type PrivateHost = { readonly ports: HostPorts } & (
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'suffix'; readonly suffix: string }
  | { readonly kind: 'range'; readonly range: BlockList; readonly address: string | undefined }
);

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

/** `host`, `host:8080`, `host:*`; an IPv6 address with a port stands in brackets. */
const PARTS = /^(\[[^\]]+\]|[^:/[\]]+|[0-9a-f:.]+(?=\/))(?:\/(\d{1,3}))?(?::(\d{1,5}|\*))?$/i;

/**
 * Reads a name (`ollama.lan`, `*.lan`), an address or a CIDR range, each with a port, `:*` for all of them, or none.
 * @returns undefined for anything else
 */
export function parsePrivateHost(entry: string): PrivateHost | undefined {
  if (isIP(entry) === 6) return rangeOf(entry, undefined, 'usual');
  const [, host = '', prefix, port] = PARTS.exec(entry) ?? [];
  const ports = port === undefined ? 'usual' : port === '*' ? 'all' : Number(port);
  if (host === '' || (typeof ports === 'number' && (ports < 1 || ports > 65_535))) return undefined;
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return rangeOf(bare, prefix, ports);
  const name = bare.toLowerCase().replace(/\.$/, '');
  const isSuffix = name.startsWith('*.');
  // Digits and dots only would be an address in one of its odd forms, and names end in no number (URL standard).
  if (prefix !== undefined || host !== bare || /(^|\.)(\d+|0x[\da-f]*)$/.test(name)) return undefined;
  if (!HOST_NAME.test(isSuffix ? name.slice(2) : name)) return undefined;
  return isSuffix ? { kind: 'suffix', suffix: name.slice(1), ports } : { kind: 'name', name, ports };
}

function rangeOf(address: string, prefix: string | undefined, ports: HostPorts): PrivateHost | undefined {
  const read = readRange(prefix === undefined ? address : `${address}/${prefix}`);
  if (read === null) return undefined;
  const range = new BlockList();
  range.addSubnet(read.address, read.prefix, read.family);
  return { kind: 'range', range, address: prefix === undefined ? read.address : undefined, ports };
}
