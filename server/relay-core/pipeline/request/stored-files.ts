import { requestRefusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { ChannelSettings } from '../../ports/channel-picker.js';
import { parseJson } from '../../../common/parse-json.js';

/** Members of any format that may hold a file's address. Texts are words, whatever they begin with. */
const ADDRESS_FIELD = /uri|url|file|data|source/i;
/** What a tool is asked and what it says, and how that is described: names in it are words. */
const WORDS: ReadonlySet<string> = new Set(['arguments', 'args', 'input_schema', 'schema', 'properties']);
const MAX_DEPTH = 64;
/** Models that read a file named in a message's text (https://help.aliyun.com/en/model-studio/long-context-qwen-long, read 2026-11-26). */
const READS_NAMED_FILES = /qwen-(?:long|doc)/i;
const NAMED_FILE = 'fileid://';

/**
 * Refuses files in a cloud's own store. The vendor opens them with the channel's credentials, so whoever knows or guesses a
 * name would read what the operator keeps there for himself. An operator who keeps files there for his callers says
 * so in the channel's settings: `allow_stored_files`.
 * @param scheme  how such addresses begin, in lower case
 * @returns undefined when the call names none
 */
export function refuseStoredFiles(
  body: Buffer,
  scheme: string,
  { vendor }: ChannelSettings,
): RelayError | undefined {
  if (vendor?.['allow_stored_files'] === true) return undefined;
  if (!mayHold(body, scheme) || !holdsAddress(parseJson(body), scheme, '', 0)) return undefined;
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

function holdsAddress(value: unknown, scheme: string, member: string, depth: number): boolean {
  if (typeof value === 'string')
    return ADDRESS_FIELD.test(member) && value.trimStart().toLowerCase().startsWith(scheme);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.some((item) => holdsAddress(item, scheme, member, depth + 1));
  return Object.entries(value).some(
    ([name, inner]) => !isFreeText(name, value) && holdsAddress(inner, scheme, name, depth + 1),
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
