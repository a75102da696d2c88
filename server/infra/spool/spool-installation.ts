import type { SpoolRecord } from './spool-record.js';

/**
 * The first record of every segment names its installation. It is written as a note about no call, so that the version
 * before, which knows four kinds of records, reads past it.
 */
export const nameInstallation = (installation: string): string =>
  JSON.stringify({ request_id: '', installation });

const START = '{"request_id":"","installation":';

/** The installation a record names; undefined = it is about a call. */
export function installationIn({ type, payload }: SpoolRecord): string | undefined {
  if (type !== 'C' || !payload.startsWith(START)) return undefined;
  const { installation } = JSON.parse(payload) as { readonly installation?: unknown };
  return typeof installation === 'string' ? installation : '';
}
