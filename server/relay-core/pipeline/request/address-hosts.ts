import { canonicalAddress } from '../../../common/ip-address.js';
import type { NamedHost } from '../../ports/address-guard.js';

/** Scheme of an address, slashes in both directions included: `http:\\host`, `http:/host` and `http:host` reach the host as well. */
const SCHEME = /^([a-z][a-z0-9+.-]{0,31}):([/\\]*)/i;
const DOTTED = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const ENDS_IN_NUMBER = /(?:^|\.)(?:\d+|0x[\da-f]*)$/i;
/**
 * Readers skip blanks and characters that draw nothing in front of an address, controls anywhere, and what is wrapped around it:
 * `<URL:http://host/>` reaches the host as well (RFC 3986, appendix C).
 */
const START = /^(?:[\p{Z}\p{C}<"'(]|(?:url|blob|feed|jar|view-source)[:=])+/iu;
/** Ends a host for some readers, which drop the rest. */
const HOST_END = /[\s;,!>"')]/;
const CONTROLS = /[\u0000-\u001f\u007f]/g;
/** Separates an address from the name of a file that ends in a number. */
const NUMERIC = /^(?:0x[\da-f]*|\d+)(?:\.(?:0x[\da-f]*|\d+))*$/i;
const MAX_AUTHORITY = 1_024;
/** A host that is written as a number and is none. The guard refuses it like the unspecified address. */
const UNREADABLE = '0.0.0.0';
/** Names of this machine that need no look-up (RFC 6761, and the hosts file of common systems). */
const OWN_NAME = /^(?:(?:.+\.)?localhost|localhost\.localdomain|ip6-localhost|ip6-loopback)$/;
const MAX_DECODINGS = 3;
/** Pieces of an authority that may be its host; more of them are no address. */
const MAX_PIECES = 8;

/**
 * Hosts that an address leads to. Readers of addresses differ (a backslash, two `@`, a leading zero), so every host that one of them may
 * find is returned; IPv4 is read in all its forms (decimal, octal, hexadecimal, short).
 * A file of the machine that reads the address counts as an address of that machine.
 * @returns nothing for a text that is no address, such as bytes in base64
 */
export function hostsOfAddress(text: string): readonly NamedHost[] {
  // Some readers stop at the first NUL, others leave it out.
  const end = text.indexOf('\0');
  return end > 0 ? [...readAddress(text), ...readAddress(text.slice(0, end))] : readAddress(text);
}

function readAddress(text: string): readonly NamedHost[] {
  const address = text.replaceAll(CONTROLS, '').replace(START, '');
  const [start = '', scheme = '', slashes = ''] = SCHEME.exec(address) ?? [];
  const kind = scheme.toLowerCase();
  if (kind === 'data') return [];
  if (isPadded(text)) return [hostOf({ name: UNREADABLE, address: UNREADABLE, scheme: 'http:' })];
  if (kind === 'file')
    return [hostOf({ name: 'localhost', address: '127.0.0.1', scheme: 'file:', port: '0' })];
  const web = kind === 'https' || kind === 'wss' ? 'https:' : 'http:';
  if (start !== '' && (slashes !== '' || WEB.has(kind))) return hostsIn(address.slice(start.length), web);
  // Without a scheme some readers add one. A text with neither dot nor colon is a file's name or its bytes.
  const bare = address.replace(/^[/\\]{2,}/, '');
  const head = bare.slice(0, MAX_AUTHORITY).split(/[/\\?#]/, 1)[0] ?? '';
  return /[.:。．｡]|^localhost$/i.test(head)
    ? hostsIn(head, web).filter(
        ({ name, address: ip }) => ip !== undefined && (ip !== UNREADABLE || NUMERIC.test(name)),
      )
    : [];
}

/** True when what readers skip would push the host beyond what is read of a text. */
const isPadded = (text: string): boolean =>
  (START.exec(text)?.[0].length ?? 0) > MAX_AUTHORITY ||
  text.length - text.replaceAll(CONTROLS, '').length > MAX_AUTHORITY;

const WEB: ReadonlySet<string> = new Set(['http', 'https', 'ws', 'wss', 'ftp']);

function hostsIn(rest: string, scheme: string): readonly NamedHost[] {
  const authority = rest.slice(0, MAX_AUTHORITY + 1).split('/', 1)[0] ?? '';
  // An authority of this length is no host to any reader.
  if (authority.length > MAX_AUTHORITY) return [hostOf({ name: UNREADABLE, address: UNREADABLE, scheme })];
  const pieces = new Set(
    [authority, decoded(authority)].flatMap((each) => each.split(/[\\@?#/]/, 2 * MAX_PIECES)),
  );
  if (pieces.size > MAX_PIECES) return [hostOf({ name: UNREADABLE, address: UNREADABLE, scheme })];
  const found = new Map<string, NamedHost>();
  for (const piece of pieces)
    for (const text of new Set([piece.trimEnd(), piece.split(HOST_END, 1)[0] ?? '']))
      for (const host of readHost(text, scheme)) found.set(`${host.name} ${host.address} ${host.port}`, host);
  return [...found.values()];
}

function decoded(text: string): string {
  let now = text;
  for (let round = 0; round < MAX_DECODINGS && now.includes('%'); round += 1) {
    try {
      now = decodeURIComponent(now);
    } catch {
      return now.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      );
    }
  }
  return now;
}

/** One host and its port, in every reading. */
function readHost(piece: string, scheme: string): readonly NamedHost[] {
  const [, bracketed, ipv6Port] = /^\[([^\]]*)\](?::(\d*))?$/.exec(piece) ?? [];
  if (bracketed !== undefined) return ipv6Of(bracketed, scheme, ipv6Port);
  if (piece.includes('::') && canonicalAddress(withoutZone(piece)) !== null)
    return ipv6Of(piece, scheme, undefined);
  const [, host = piece, port] = /^(.*):(\d*)$/.exec(piece) ?? [];
  if (host === '') return [];
  const name = canonicalName(host);
  const bare = host.toLowerCase().replace(/\.+$/, '');
  const addresses = new Set<string>();
  if (name === undefined) {
    if (ENDS_IN_NUMBER.test(bare)) addresses.add(UNREADABLE);
  } else if (DOTTED.test(name)) {
    addresses.add(name);
  } else if (OWN_NAME.test(name)) {
    addresses.add('127.0.0.1');
  }
  const decimal = decimalReading(bare);
  if (decimal !== undefined) addresses.add(decimal);
  if (addresses.size > 0)
    return [...addresses].map((address) => hostOf({ name: name ?? bare, address, scheme, port }));
  return name === undefined ? [] : [hostOf({ name, scheme, port })];
}

const withoutZone = (text: string): string => text.replace(/%.*$/, '');

function ipv6Of(text: string, scheme: string, port: string | undefined): readonly NamedHost[] {
  const address = withoutZone(text).toLowerCase();
  return [hostOf({ name: address, address: canonicalAddress(address) ?? UNREADABLE, scheme, port })];
}

/** The name as the URL standard reads it: full-width digits, soft hyphens, octal and short forms included. */
function canonicalName(host: string): string | undefined {
  const url = `http://${host}/`;
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return hostname.replace(/\.+$/, '');
}

/** Some readers take `010` for ten, where the standard takes it for eight. */
function decimalReading(host: string): string | undefined {
  const parts = host.split('.');
  const isOctal = parts.length === 4 && parts.some((part) => part.length > 1 && part.startsWith('0'));
  if (!isOctal || !parts.every((part) => /^\d{1,12}$/.test(part))) return undefined;
  const numbers = parts.map(Number);
  return numbers.every((part) => part <= 255) ? numbers.join('.') : undefined;
}

const hostOf = ({
  name,
  address,
  scheme,
  port,
}: {
  readonly name: string;
  readonly address?: string | undefined;
  readonly scheme: string;
  readonly port?: string | undefined;
}): NamedHost => ({
  name,
  address,
  scheme,
  port: port === undefined || port === '' ? (scheme === 'https:' ? 443 : 80) : Number(port),
});
