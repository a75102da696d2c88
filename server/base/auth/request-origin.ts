/** Parts of a request that identify the page it comes from. */
export interface RequestOrigin {
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly host: string | undefined;
  /** Scheme of the request: `http` or `https`. */
  readonly protocol: string;
}

/**
 * False when a browser reports a request of a page of another origin. Programs send neither header and pass; the
 * user-id header is their guard.
 * @param ownAddresses  public base addresses of this server; scheme and Host header of the request count as well
 */
export function isOwnOrigin(
  { origin, fetchSite, host, protocol }: RequestOrigin,
  ownAddresses: readonly string[],
): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return false;
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  if (url === null || url.host === '') return false;
  // A proxy that ends TLS without saying so: the browser itself vouches for the origin then.
  const isScheme = url.protocol === `${protocol}:` || fetchSite === 'same-origin';
  return (
    (isScheme && url.host === host?.toLowerCase()) ||
    ownAddresses.some((address) => URL.parse(address)?.origin === url.origin)
  );
}
