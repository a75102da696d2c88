/**
 * A public address with the path the gateway is published under, which may have been typed with it.
 * @param address  empty = none
 */
export function publishedAddress(address: string, basePath: string): string {
  const plain = address.replace(/\/+$/, '');
  const path = plain.replace(/^[a-z]+:\/\/[^/]*/i, '');
  return plain === '' || path.endsWith(basePath) ? plain : plain + basePath;
}
