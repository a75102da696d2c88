/** Something of the request that could not be carried to the upstream format. */
export interface Warning {
  readonly setting: string;
  readonly reason: string;
}

/** A call of many parts says the same of each; what is on record is short. */
const MAX_WARNINGS = 20;

/** Each warning once, the first twenty of them. */
export function knownWarnings(warnings: readonly Warning[]): readonly Warning[] {
  if (warnings.length < 2) return warnings;
  const known = new Map<string, Warning>();
  for (const warning of warnings) {
    if (known.size === MAX_WARNINGS) break;
    known.set(`${warning.setting}: ${warning.reason}`, warning);
  }
  return [...known.values()];
}

/** With a word about events of the answer that could not be read and were left out. */
export function withUnread(warnings: readonly Warning[], events: number): readonly Warning[] {
  if (events === 0) return warnings;
  return [...warnings, { setting: 'stream', reason: `events that could not be read: ${events}` }];
}

/** The settings of warnings as a header's value; whatever is no plain word is left out of it. */
export function warningHeader(warnings: readonly Warning[]): Readonly<Record<string, string>> {
  if (warnings.length === 0) return NO_HEADER;
  const settings = new Set(warnings.map(({ setting }) => setting).filter((name) => PLAIN.test(name)));
  return settings.size === 0 ? NO_HEADER : { [WARNINGS_HEADER]: [...settings].join(', ') };
}

/** Names what of the request this answer does not take into account. */
export const WARNINGS_HEADER = 'x-tollgate-warnings';

const PLAIN = /^[\w.-]{1,64}$/;
const NO_HEADER: Readonly<Record<string, string>> = Object.freeze({});
