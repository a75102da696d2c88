/** Something of the request that could not be carried to the upstream format. */
export interface Warning {
  readonly setting: string;
  readonly reason: string;
}

/** Most warnings on the record of a call. */
const MAX_WARNINGS = 100;
/** Most names in the header, and its most bytes. */
const MAX_HEADER_NAMES = 20;
const MAX_HEADER_BYTES = 1_000;

/** Each warning once, the first hundred of them. */
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

/** The settings of warnings as a header's value, twenty names and 1 kB at most; names that are no plain words or paths are left out. */
export function warningHeader(warnings: readonly Warning[]): Readonly<Record<string, string>> {
  if (warnings.length === 0) return NO_HEADER;
  const settings = new Set(warnings.map(({ setting }) => setting).filter((name) => PLAIN.test(name)));
  let value = '';
  for (const name of [...settings].slice(0, MAX_HEADER_NAMES)) {
    const longer = value === '' ? name : `${value}, ${name}`;
    if (longer.length > MAX_HEADER_BYTES) break;
    value = longer;
  }
  return value === '' ? NO_HEADER : { [WARNINGS_HEADER]: value };
}

/** Names what of the request this answer does not take into account. */
export const WARNINGS_HEADER = 'x-tollgate-warnings';

const PLAIN = /^[\w.-]{1,128}$/;
const NO_HEADER: Readonly<Record<string, string>> = Object.freeze({});
