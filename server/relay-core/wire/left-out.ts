import type { ChatRequest } from '../model/chat.js';
import type { RelayError } from '../model/relay-error.js';
import type { VendorOptions } from '../model/vendor-options.js';
import type { Warning } from '../model/warning.js';

/** Warnings for fields only other wires know. */
export function warnOfForeign(
  options: VendorOptions | undefined,
  ownWire: string,
  warnings: Warning[],
): void {
  for (const wire of Object.keys(options ?? {})) {
    if (wire !== ownWire)
      warnings.push({ setting: wire, reason: `fields only the ${wire} wire knows were left out` });
  }
}

/** Warnings for settings that were given and have no counterpart. */
export function warnOfUnsupported(
  settings: Readonly<Record<string, unknown>>,
  vendor: string,
  warnings: Warning[],
): void {
  for (const [setting, value] of Object.entries(settings)) {
    if (value !== undefined) warnings.push({ setting, reason: `${vendor} has no such setting` });
  }
}

/** For wires that give one answer: fewer answers than were asked for is another meaning, not a lost setting. */
export function refuseSeveralChoices(request: Pick<ChatRequest, 'choices'>): RelayError | undefined {
  if (request.choices <= 1) return undefined;
  return {
    kind: 'invalid-request',
    blame: 'caller',
    message: 'The upstream of this model gives one answer per call; ask for one (n = 1).',
    param: 'n',
  };
}
