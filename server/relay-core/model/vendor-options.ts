/**
 * Fields the neutral model does not own, by the format they were read from. The same format writes them back unchanged;
 * another format drops them with a warning.
 */
export type VendorOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Both, the later replacing members of the earlier; undefined when there are none. */
export function mergeOptions(
  earlier: VendorOptions | undefined,
  later: VendorOptions | undefined,
): VendorOptions | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const merged: Record<string, Readonly<Record<string, unknown>>> = { ...earlier };
  for (const [format, members] of Object.entries(later)) merged[format] = { ...merged[format], ...members };
  return merged;
}

/** Members of `source` that are not in `known`, as the vendor options of a format; undefined when there are none. */
export function keepUnknown(
  apiFormat: string,
  source: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): VendorOptions | undefined {
  let rest: Record<string, unknown> | undefined;
  for (const key of Object.keys(source)) {
    if (known.has(key)) continue;
    rest ??= Object.create(null) as Record<string, unknown>;
    rest[key] = source[key];
  }
  return rest === undefined ? undefined : { [apiFormat]: rest };
}
