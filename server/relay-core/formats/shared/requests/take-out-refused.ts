import type { Warning } from '../../../model/warning.js';

/** Takes out of a written body what this channel's vendor refuses, and says so, whatever the caller's own API calls it. */
export function takeOutRefused(body: object, refused: readonly string[], warnings: Warning[]): void {
  for (const setting of refused) {
    if (!Object.hasOwn(body, setting)) continue;
    const isSet: unknown = Reflect.get(body, setting);
    Reflect.deleteProperty(body, setting);
    if (isSet === undefined || warnings.some((known) => known.setting === setting)) continue;
    warnings.push({ setting, reason: 'this channel does not take it, or is not allowed to' });
  }
}
