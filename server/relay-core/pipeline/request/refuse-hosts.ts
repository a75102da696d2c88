import { readField, type ScannedObject } from '../../framing/json-splice.js';
import type { ParsedCall } from '../../formats/contract/api-format.js';
import type { Operation } from '../../model/operation.js';
import { requestRefusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { AddressGuard, NamedHost } from '../../ports/address-guard.js';
import type { FormPart, MultipartForm } from '../../framing/multipart.js';
import { JsonCursor } from '../../framing/json-cursor.js';
import { isFetchedKey } from '../../framing/fetched-members.js';
import { SCAN_FLAGS } from '../../framing/scan-flags.js';
import { STEERING_FIELDS } from '../../formats/shared/fields/request-fields.js';
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

/** Names of one request that are looked up; more would turn a request into a scan of names. */
const MAX_LOOKUPS = 32;
const MAX_SHOWN = 128;

type Hosts = Iterable<HostPlace>;
const NONE: readonly HostPlace[] = [];

/** Hosts that a call asks its upstream to fetch from. A call that names none is known by its scan. */
export function hostsOfCall(parsed: Pick<ParsedCall<Operation>, 'document' | 'form' | 'shape'>): Hosts {
  const { document, form, shape } = parsed;
  if (form !== undefined) return hostsInForm(form);
  const named = mayNameHosts(document) ? [...hostsInDocument(document.bytes)] : NONE;
  return shape.submission === undefined ? named : [...named, ...hostsInPrompt(promptOf(document))];
}

/** The whole prompt: its record keeps the beginning only. */
function promptOf(document: ScannedObject): string {
  const prompt = readField(document, 'prompt');
  return typeof prompt === 'string' ? prompt : '';
}

/**
 * Why a request may not be sent to any upstream: it names a private, loopback, link-local, metadata or otherwise special address. An
 * upstream inside the network would fetch from there for a caller that cannot reach it.
 * @param guard  absent = every address passes
 */
export function refuseClosedHosts(guard: AddressGuard | undefined, hosts: Hosts): RelayError | undefined {
  if (guard === undefined) return undefined;
  for (const named of hosts) {
    if (named === TOO_MANY_HOSTS) return TOO_MANY_ADDRESSES;
    if (guard.isClosed(named.host)) return closedRefusal(named, IS_CLOSED);
  }
  return undefined;
}

/**
 * The same of names that resolve to such an address, for an upstream inside the network.
 * @returns undefined when nothing has to be looked up
 */
export function refuseClosedNames(
  guard: AddressGuard | undefined,
  hosts: Hosts,
  baseUrl: string,
): Promise<RelayError | undefined> | undefined {
  if (guard === undefined || baseUrl === '') return undefined;
  let byName: Map<string, HostPlace> | undefined;
  for (const named of hosts) {
    const { address, name, port } = named.host;
    if (address === undefined) (byName ??= new Map()).set(`${name}:${port}`, named);
  }
  if (byName === undefined) return undefined;
  const isInside = guard.isInside(baseUrl);
  if (isInside === false) return undefined;
  return lookUp(guard, [...byName.values()], isInside);
}

async function lookUp(
  guard: AddressGuard,
  named: readonly HostPlace[],
  isInside: true | Promise<boolean>,
): Promise<RelayError | undefined> {
  if (!(await isInside)) return undefined;
  if (named.length > MAX_LOOKUPS) return TOO_MANY_NAMES;
  const closed = await Promise.all(named.map(({ host }) => guard.resolvesClosed(host)));
  const found = named[closed.indexOf(true)];
  return found === undefined ? undefined : closedRefusal(found, RESOLVES_CLOSED);
}

const KINDS = 'an address of a private network, of this machine or with a special purpose';
const IS_CLOSED = `which is ${KINDS}`;
const RESOLVES_CLOSED = `which resolves to ${KINDS}`;

function closedRefusal({ host, place }: HostPlace, why: string): RelayError {
  const shown = host.name.length > MAX_SHOWN ? `${host.name.slice(0, MAX_SHOWN)}…` : host.name;
  const param = place.slice(0, MAX_SHOWN);
  return requestRefusal(
    `${param}: no upstream is asked to fetch from ${shown}, ${why}. Send the bytes of the file instead. ` +
      `An operator allows it by naming the host with its port (${host.port}) in ALLOWED_PRIVATE_HOSTS_USERS.`,
    param,
  );
}

const TOO_MANY_ADDRESSES = requestRefusal(
  `At most ${MAX_ADDRESSES} different addresses can be named in one request.`,
);
const TOO_MANY_NAMES = requestRefusal(
  `At most ${MAX_LOOKUPS} hosts can be named in the addresses of one request to this model.`,
);
