import { isIP } from 'node:net';

/** Place where passkeys are made and used. */
export interface RelyingParty {
  /** Host name without port; passkeys belong to it. */
  readonly id: string;
  /** Origins of pages that may ask for them. */
  readonly origins: readonly string[];
}

/** The page a request came from. */
export interface Page {
  readonly protocol: string;
  readonly host: string;
}

/**
 * The relying party of a request: the public address of this server when it has one, else the address the browser used. A forged
 * Host header gains nothing: the browser itself names the page, and gives out passkeys of that host only.
 * @param publicAddresses  the configured ones, best first; empty texts are none
 * @param page  of the request
 * @returns null where browsers offer no passkeys: on bare IP addresses, and without TLS anywhere but localhost
 */
export function relyingPartyOf(publicAddresses: readonly string[], page: Page): RelyingParty | null {
  for (const address of [...publicAddresses, `${page.protocol}://${page.host}`]) {
    const url = URL.parse(address);
    if (url !== null && isUsable(url)) return { id: url.hostname, origins: [url.origin] };
  }
  return null;
}

function isUsable({ protocol, hostname }: URL): boolean {
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isHostName = hostname !== '' && isIP(hostname) === 0 && !hostname.startsWith('[');
  return isHostName && (protocol === 'https:' || (protocol === 'http:' && isLocal));
}
