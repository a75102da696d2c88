import { requestRefusal } from '../../model/refusals.js';
import { JsonCursor } from '../../framing/json-cursor.js';
import type { ScannedObject } from '../../framing/json-splice.js';
import { SCAN_FLAGS } from '../../framing/scan-flags.js';
import type { RelayError } from '../../model/relay-error.js';
import type { ChannelSettings } from '../../ports/channel-picker.js';
import { parseJson } from '../../../common/parse-json.js';

/** Members of any format that may hold a file's address. Texts are words, whatever they begin with. */
const ADDRESS_FIELD = /uri|url|file|data|source/i;
/** Members with input, output and description of a tool: names in them are words. */
const WORDS: ReadonlySet<string> = new Set(['arguments', 'args', 'input_schema', 'schema', 'properties']);
const MAX_DEPTH = 64;
/** Models that read a file named in a message's text (https://help.aliyun.com/en/model-studio/long-context-qwen-long, read 2026-11-26). */
const READS_NAMED_FILES = /qwen-(?:long|doc)/i;
const NAMED_FILE = 'fileid://';

/**
 * Refuses files in a cloud's own store. The vendor opens them with the channel's credentials, so a caller that knows or guesses a
 * name would read the operator's files there. The setting `allow_stored_files` of the channel permits it, for operators who keep
 * files there for their callers.
 * @param scheme  how such addresses begin, in lower case
 * @returns undefined when the call names none
 */
export function refuseStoredFiles(
  body: Buffer,
  scheme: string,
  { vendor }: ChannelSettings,
): RelayError | undefined {
  if (vendor?.['allow_stored_files'] === true) return undefined;
  if (!mayHold(body, scheme) || !holdsAddress(parseJson(body), scheme, 0, '')) return undefined;
  return refusalOf(scheme);
}

/** False for nearly every call, so that little is read twice. Escapes may spell the scheme in their own way. */
function mayHold(body: Buffer, scheme: string): boolean {
  const [first = '', second = ''] = scheme;
  const spellings = [first, first.toUpperCase()].flatMap((one) =>
    [second, second.toUpperCase()].map((other) => `${one}${other}:`),
  );
  return [...spellings, '\\u', '\\/'].some((text) => body.includes(text));
}

function holdsAddress(value: unknown, scheme: string, depth: number, member: string): boolean {
  if (typeof value === 'string')
    return ADDRESS_FIELD.test(member) && value.trimStart().toLowerCase().startsWith(scheme);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.some((item) => holdsAddress(item, scheme, depth + 1, member));
  return Object.entries(value).some(
    ([name, inner]) => !isFreeText(name, value) && holdsAddress(inner, scheme, depth + 1, name),
  );
}

function isFreeText(name: string, holder: object): boolean {
  if (WORDS.has(name)) return true;
  if (name === 'input') return 'type' in holder && String(holder.type).endsWith('tool_use');
  return name === 'response' && 'name' in holder;
}

/**
 * Refuses messages that name a file of the account, where the model is one that would read it, unless the operator lets callers name
 * what was not handed out to them: `allow_foreign_ids`.
 */
export function refuseNamedFiles(
  body: Buffer,
  upstreamModel: string,
  { vendor }: ChannelSettings,
): RelayError | undefined {
  if (!READS_NAMED_FILES.test(upstreamModel) || vendor?.['allow_foreign_ids'] === true) return undefined;
  return namesFile(parseJson(body)) ? refusalOf(NAMED_FILE) : undefined;
}

function namesFile(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(NAMED_FILE);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  return Object.values(value).some((inner) => namesFile(inner, depth + 1));
}

const refusalOf = (scheme: string): RelayError =>
  requestRefusal(
    `Files of the upstream's own store (${scheme}…) are not opened for callers. Send the bytes of the file in base64 instead.`,
  );

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
/** Members that callers and tools fill freely: a member of that name is no file there. */
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
