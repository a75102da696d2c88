/** What of a request tells which page made it. */
export interface RequestOrigin {
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly host: string | undefined;
}

/**
 * False when a browser says that a page of another origin made the request. Programs send neither header and pass; the
 * user-id header is their guard.
 * @param ownAddresses  public base addresses of this server; the Host header counts as well
 */
export function isOwnOrigin(
  { origin, fetchSite, host }: RequestOrigin,
  ownAddresses: readonly string[],
): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return false;
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  if (url === null || url.host === '') return false;
  return (
    url.host === host?.toLowerCase() ||
    ownAddresses.some((address) => URL.parse(address)?.origin === url.origin)
  );
}
