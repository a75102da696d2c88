/**
 * The address of a request as the routes know it: every slash once, since clients join base addresses and paths by hand, and without the
 * path the gateway is published under.
 * @param basePath  empty, or as `/gateway`
 */
export function innerUrl(url: string, basePath: string): string {
  if (!url.startsWith('/')) return url;
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (!path.includes('//') && (basePath === '' || !path.startsWith(basePath))) return url;
  const clean = path.replace(/\/{2,}/g, '/');
  return withoutPrefix(clean, basePath) + (query === -1 ? '' : url.slice(query));
}

function withoutPrefix(path: string, basePath: string): string {
  if (basePath === '' || !path.startsWith(basePath)) return path;
  const rest = path.slice(basePath.length);
  return rest === '' ? '/' : rest.startsWith('/') ? rest : path;
}
