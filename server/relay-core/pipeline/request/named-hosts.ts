import type { FormPart, MultipartForm } from '../../framing/multipart.js';
import { JsonCursor } from '../../framing/json-cursor.js';
import { isFetchedKey, SCAN_FLAGS } from '../../framing/scan-flags.js';
import type { ScannedObject } from '../../framing/json-splice.js';
import { STEERING_FIELDS } from '../../formats/shared/fields/request-fields.js';
import type { NamedHost } from '../../ports/address-guard.js';
import { hostsOfAddress } from './address-hosts.js';

/** A host that a request names, and the member that does. */
export interface HostPlace {
  readonly host: NamedHost;
  readonly place: string;
}

/** Members that callers and tools fill as they like: an address there is a word, which no upstream opens. */
const FREE_FIELDS: ReadonlySet<string> = new Set([
  'args',
  'arguments',
  'metadata',
  'headers',
  'env',
  'labels',
  'logprobs',
  'structuredContent',
  'input_schema',
  'inputSchema',
  'schema',
  'json_schema',
  'response_format',
  'responseSchema',
  'responseJsonSchema',
  'parametersJsonSchema',
  'annotations',
  'citations',
  'results',
]);
/** The same below the top of a document; a member of that name at the top is a part of the request itself. */
const FREE_INSIDE: ReadonlySet<string> = new Set(['response', 'parameters', 'input']);
const STEERING: ReadonlySet<string> = new Set(STEERING_FIELDS);
/** The member that makes an embedding's `input` a list of addresses. */
const MODALITY = 'modality';
/** An address of more bytes is read up to here: its host stands in front. */
const MAX_READ_BYTES = 8_192;
/** Different addresses of one document that are read. */
export const MAX_ADDRESSES = 1_000;
/** Stands for the hosts of a document that has more addresses. */
export const TOO_MANY_HOSTS: HostPlace = {
  host: { name: '', address: undefined, port: 0, scheme: 'http:' },
  place: '',
};
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const QUOTE = 0x22;
/** Addresses among the words of a drawing's prompt: the upstream fetches them as image prompts. */
const ADDRESS_IN_PROMPT = /(?:https?|wss?|ftp|rtsp):[/\\]+\S{1,2048}/gi;

const cursor = new JsonCursor();

/** True when a request may name an address to fetch; known from its scan, so that other requests cost nothing. */
export const mayNameHosts = ({ scanFlags = SCAN_FLAGS.fetched }: ScannedObject): boolean =>
  (scanFlags & (SCAN_FLAGS.fetched | SCAN_FLAGS.escaped)) !== 0;

/** Hosts of the addresses that a JSON document asks its upstream to fetch, in their order. */
export function* hostsInDocument(bytes: Buffer): Generator<HostPlace> {
  // Everything is collected before the first one is used: the cursor is shared.
  const found = new Finder().find(bytes);
  if (found.length > MAX_ADDRESSES) yield TOO_MANY_HOSTS;
  else for (const [text, place] of found) for (const host of hostsOfAddress(text)) yield { host, place };
}

/** Hosts in the fields of a form, found like those in a document. */
export function* hostsInForm(form: MultipartForm): Generator<HostPlace> {
  for (const part of form.parts) {
    if (part.fileName !== undefined || !isFetchedField(part)) continue;
    const text = form.bytes.toString('utf8', part.start, Math.min(part.end, part.start + MAX_READ_BYTES));
    for (const host of hostsOfAddress(text)) yield { host, place: part.name };
  }
}

/** `image_url`, `image_url[]` and `image_url[0]` are one field. */
function isFetchedField({ name }: FormPart): boolean {
  const bare = Buffer.from(name.replaceAll(/\[[^\]]*\]/g, ''));
  return isFetchedKey(bare, 0, bare.length);
}

/** Hosts of the addresses that stand in a prompt. */
export function* hostsInPrompt(prompt: string): Generator<HostPlace> {
  const found = new Set<string>();
  for (const [text] of prompt.matchAll(ADDRESS_IN_PROMPT)) {
    found.add(text);
    if (found.size <= MAX_ADDRESSES) continue;
    yield TOO_MANY_HOSTS;
    return;
  }
  for (const text of found) for (const host of hostsOfAddress(text)) yield { host, place: 'prompt' };
}

/** Walks one document. A value below a key of something to fetch is an address, in lists and lists of lists, too. */
class Finder {
  /** The first place of each address. */
  private readonly found = new Map<string, string>();
  private readonly path: string[] = [];
  private readonly inputs = new Map<string, string>();
  private hasModality = false;

  find(bytes: Buffer): readonly (readonly [text: string, place: string])[] {
    cursor.reset(bytes, 0, bytes.length);
    this.value(false);
    cursor.reset(NOTHING, 0, 0);
    return this.hasModality ? [...this.found, ...this.inputs] : [...this.found];
  }

  private value(isAddress: boolean): void {
    const first = cursor.peek();
    const { path } = this;
    if (first === OPEN_OBJECT) return this.object();
    if (first === OPEN_ARRAY) {
      cursor.enterArray();
      for (let index = 0; cursor.nextElement(); index += 1) {
        path.push(String(index));
        this.value(isAddress);
        path.pop();
      }
      return;
    }
    const start = cursor.at;
    cursor.skipValue();
    if (first !== QUOTE) return;
    const isInput = path[0] === 'input' && path.length <= 2;
    if (!isAddress && !isInput) return;
    const texts = isAddress ? this.found : this.inputs;
    const text = textAt(start, cursor.at);
    if (texts.size <= MAX_ADDRESSES && !texts.has(text)) texts.set(text, path.join('.'));
  }

  private object(): void {
    const { path } = this;
    cursor.enterObject();
    while (cursor.nextMember()) {
      const name = nameAtCursor();
      const isTop = path.length === 0;
      const first = cursor.peek();
      if (isTop && name === MODALITY) this.hasModality = true;
      if (this.isFree(name, isTop, first)) {
        cursor.skipValue();
        continue;
      }
      const key = Buffer.from(name);
      path.push(name);
      this.value(isFetchedKey(key, 0, key.length));
      path.pop();
    }
  }

  private isFree(name: string, isTop: boolean, first: number): boolean {
    if (FREE_FIELDS.has(name) || (isTop && STEERING.has(name))) return true;
    return !isTop && first === OPEN_OBJECT && FREE_INSIDE.has(name);
  }
}

/** A key with escapes is what every reader makes of it. */
function nameAtCursor(): string {
  const text = cursor.bytes.toString('utf8', cursor.keyStart, cursor.keyEnd);
  return cursor.keyEscaped ? unescaped(text) : text;
}

/** Text of the string from its opening quote to behind its closing one, up to a bound. */
function textAt(start: number, end: number): string {
  const to = Math.min(end - 1, start + 1 + MAX_READ_BYTES);
  const text = cursor.bytes.toString('utf8', start + 1, to);
  return text.includes('\\') ? unescaped(text) : text;
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text.replace(/\\u?[\da-f]{0,3}$/i, '')}"`) as string;
  } catch {
    return text;
  }
}

const NOTHING = Buffer.alloc(0);
