import { requestRefusal } from '../../model/refusals.js';
import { JsonCursor } from '../../framing/json-cursor.js';
import type { ScannedObject } from '../../framing/json-splice.js';
import { SCAN_FLAGS } from '../../framing/scan-flags.js';
import type { RelayError } from '../../model/relay-error.js';

/** Members whose text is a file's address in some client API. */
const ADDRESS_KEYS: ReadonlySet<string> = new Set([
  'image_url',
  'video_url',
  'audio_url',
  'file_url',
  'file_data',
]);
/** Objects whose member `url` is one. */
const URL_PARENTS: ReadonlySet<string> = new Set(['image_url', 'video_url', 'audio_url', 'source']);
const URI_KEYS: ReadonlySet<string> = new Set(['fileUri', 'file_uri']);
/** What callers and tools fill as they like: a member of that name is no file there. */
const FREE_FIELDS: ReadonlySet<string> = new Set([
  'args',
  'arguments',
  'response',
  'metadata',
  'tools',
  'response_format',
  'responseSchema',
  'responseJsonSchema',
]);
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const QUOTE = 0x22;
/** Enough of a text to see its scheme. */
const HEAD = 48;
const SCHEME = /^\s*([a-z][a-z0-9+.-]{0,31}):/i;
const WEB: ReadonlySet<string> = new Set(['http', 'https']);

const cursor = new JsonCursor();

/**
 * Refuses addresses of files that the upstream cannot open (`file:`, `ftp:`, `blob:`, another cloud's store), by their place: sent on,
 * a `file:` address could open something on the upstream's own machine.
 * @param taken     schemes the upstream opens beside http and https
 * @param isPassed  the body goes to the vendor as it is
 */
export function refuseFileAddresses(
  { bytes, scanFlags = SCAN_FLAGS.address }: ScannedObject,
  taken: readonly string[],
  isPassed: boolean,
): RelayError | undefined {
  if ((scanFlags & SCAN_FLAGS.address) === 0) return undefined;
  cursor.reset(bytes, 0, bytes.length);
  const path: string[] = [];
  const scheme = find(path, (found, holdsBytes) =>
    found === 'data' ? isPassed && !holdsBytes : !WEB.has(found) && !taken.includes(found),
  );
  cursor.reset(NOTHING, 0, 0);
  if (scheme === undefined) return undefined;
  const place = path.join('.');
  return requestRefusal(
    `${place}: addresses that begin with '${scheme}:' cannot be opened by the upstream of this model. Send an address of the web, or the bytes of the file.`,
    place,
  );
}

type Refuses = (scheme: string, holdsBytes: boolean) => boolean;

/** @returns the scheme that is refused, with `path` leading to it */
function find(path: string[], refuses: Refuses): string | undefined {
  const byte = cursor.peek();
  const name = path.at(-1) ?? '';
  if (byte === OPEN_OBJECT && !FREE_FIELDS.has(name) && name !== 'input') {
    cursor.enterObject();
    while (cursor.nextMember()) {
      path.push(cursor.keyText());
      const found = find(path, refuses);
      if (found !== undefined) return found;
      path.pop();
    }
    return undefined;
  }
  if (byte === OPEN_ARRAY && !FREE_FIELDS.has(name)) {
    cursor.enterArray();
    for (let index = 0; cursor.nextElement(); index += 1) {
      path.push(String(index));
      const found = find(path, refuses);
      if (found !== undefined) return found;
      path.pop();
    }
    return undefined;
  }
  const start = cursor.at + 1;
  cursor.skipValue();
  if (byte !== QUOTE || !isAddress(name, path.at(-2) ?? '')) return undefined;
  const head = cursor.bytes.toString('latin1', start, Math.min(start + HEAD, cursor.at - 1));
  const scheme = SCHEME.exec(head.replaceAll('\\/', '/'))?.[1]?.toLowerCase();
  if (scheme === undefined) return undefined;
  const holdsBytes = name !== 'fileUri' && name !== 'file_uri' && path.at(-2) !== 'source';
  return refuses(scheme, holdsBytes) ? scheme : undefined;
}

const isAddress = (name: string, parent: string): boolean =>
  ADDRESS_KEYS.has(name) ||
  (name === 'url' && URL_PARENTS.has(parent)) ||
  (URI_KEYS.has(name) && (parent === 'fileData' || parent === 'file_data'));

const NOTHING = Buffer.alloc(0);
