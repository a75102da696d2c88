/** Configuration of routes that read their query and body themselves, byte for byte, as signatures need them. */
export const RAW_ROUTE = Object.freeze({ isRaw: true });

/** @param config  `request.routeOptions.config` */
export const isRawRoute = (config: unknown): boolean =>
  typeof config === 'object' && config !== null && (config as { readonly isRaw?: unknown }).isRaw === true;
