import type { VendorOptions } from '../../../model/vendor-options.js';
import type { Warning } from '../../../model/warning.js';
import type { RequestEdits, WrittenRequest } from '../../contract/api-format.js';
import { FORBIDDEN_FIELDS } from '../fields/request-fields.js';

/** Removes from a written body what this channel's vendor refuses, and warns about it under the name of the caller's API. */
export function dropRefusedFields(body: object, refused: readonly string[], warnings: Warning[]): void {
  for (const setting of refused) {
    if (!Object.hasOwn(body, setting)) continue;
    const isSet: unknown = Reflect.get(body, setting);
    Reflect.deleteProperty(body, setting);
    if (isSet === undefined || warnings.some((known) => known.setting === setting)) continue;
    warnings.push({ setting, reason: 'this channel does not take it, or is not allowed to' });
  }
}

/** A body that is written, without what this channel's vendor refuses. */
export function writtenBody(
  edits: RequestEdits,
  body: Record<string, unknown>,
  warnings: Warning[] = [],
): WrittenRequest {
  dropRefusedFields(body, edits.refusedMembers, warnings);
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}

/** Members that a caller gave in this format's own words, without those that would steer the call. */
export function formatOptions(
  { vendorOptions }: { readonly vendorOptions?: VendorOptions },
  apiFormat: string,
): Record<string, unknown> {
  const members = { ...vendorOptions?.[apiFormat] };
  for (const name of FORBIDDEN_FIELDS) delete members[name];
  return members;
}

/** Longest name of a member that is repeated: names are the caller's. */
const MAX_NAME_LENGTH = 64;
const NO_SUCH_SETTING = 'this vendor has no such setting';

/**
 * Warnings for members that the caller gave in the words of its API and the written body leaves out.
 * @param taken  members that stand in the body, under this name or another
 */
export function warnOfLeftOut(
  { vendorOptions }: { readonly vendorOptions?: VendorOptions },
  taken: Iterable<string>,
  warnings: Warning[],
): void {
  const known = new Set([...taken, ...FORBIDDEN_FIELDS]);
  for (const options of Object.values(vendorOptions ?? {})) {
    for (const name of Object.keys(options)) {
      if (known.has(name)) continue;
      known.add(name);
      warnings.push({ setting: name.slice(0, MAX_NAME_LENGTH), reason: NO_SUCH_SETTING });
    }
  }
}

/** Warnings of an embedding request for a vendor that has no word for users either. @param taken  as for `warnOfLeftOut` */
export function leftOut(
  request: { readonly vendorOptions?: VendorOptions; readonly user?: string },
  taken: Iterable<string>,
): Warning[] {
  const warnings: Warning[] = [];
  if (request.user !== undefined) warnings.push({ setting: 'user', reason: NO_SUCH_SETTING });
  warnOfLeftOut(request, taken, warnings);
  return warnings;
}

/** Members a caller of any API may give by the vendor's own names. */
export function passThroughFields(
  { vendorOptions }: { readonly vendorOptions?: VendorOptions },
  names: Iterable<string>,
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const options of Object.values(vendorOptions ?? {})) {
    for (const name of names) if (name in options) members[name] = options[name];
  }
  return members;
}
