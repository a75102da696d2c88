import { isUtf8 } from 'node:buffer';
import { fail, ok, type Result } from '../../../../common/result.js';
import { JsonCursor, MAX_JSON_DEPTH, MAX_JSON_NODES, MAX_OBJECT_KEYS } from '../../../framing/json-cursor.js';
import { readField, scanObject, type ScannedObject, type ScanFault } from '../../../framing/json-splice.js';
import { requestRefusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';

/** Largest output cap a caller may ask for: keeps every later sum far inside safe integers. */
export const MAX_OUTPUT_CAP = 1_073_741_823;
/** Most answers one call may ask for. */
export const MAX_CHOICES = 128;
const MAX_MODEL_LENGTH = 256;

export const invalidRequest = (
  message: string,
  param?: string,
): { readonly ok: false; readonly error: RelayError } => fail(requestRefusal(message, param));

/** Members a gateway behind the upstream may be steered by; they never leave. */
export const STEERING_FIELDS: readonly string[] = [
  'api_base',
  'base_url',
  'api_key',
  'api_version',
  'proxy',
  'extra_headers',
  'custom_llm_provider',
  // Members of LiteLLM: models, keys, clouds and regions to use (https://docs.litellm.ai/docs/completion/input, read 2026-11-26).
  'user_config',
  'litellm_params',
  'litellm_credential_name',
  'model_list',
  'mock_response',
  'azure_ad_token',
  'vertex_credentials',
  'vertex_project',
  'vertex_location',
  'aws_region_name',
  'aws_role_name',
  'aws_session_name',
  'aws_sts_endpoint',
  'aws_web_identity_token',
  'aws_bedrock_runtime_endpoint',
];

/** Members that make a call dearer never leave either, but for formats where the channel may allow them. */
export const FORBIDDEN_FIELDS: readonly string[] = [...STEERING_FIELDS, 'service_tier'];

/** Members that decide what a call costs, how it is answered or where it goes. */
const DECISIVE_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'prompt',
  'stream',
  'stream_options',
  'n',
  'best_of',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'background',
  'dimensions',
  'tools',
  'functions',
  ...FORBIDDEN_FIELDS,
  'models',
  'fallbacks',
  'fallback_models',
]);
/**
 * Members that name other models to fall back on: what such a gateway behind the upstream then serves is neither what was
 * priced here nor what the caller's key allows. An operator may still add them to a channel.
 */
const OTHER_MODELS: readonly string[] = ['models', 'fallbacks', 'fallback_models'];
const PLAIN_NAME = /^[a-z0-9_]*$/;

const grouped = (count: number): string => count.toLocaleString('en-US');

const FAULT_SENTENCES: Readonly<Record<ScanFault, string>> = {
  malformed: 'We could not parse the JSON body of your request.',
  'not-an-object': 'The body of your request must be a JSON object: its first character is {.',
  'too-deep': `The JSON body of your request is nested too deeply (at most ${MAX_JSON_DEPTH} levels).`,
  'too-many-values': `The JSON body of your request holds too many values (at most ${grouped(MAX_JSON_NODES)}).`,
  'too-many-keys': `An object in the JSON body of your request has too many members (at most ${grouped(MAX_OBJECT_KEYS)}).`,
};

/** Finds the top-level members of a request body. Fails: invalid-request. */
export function scanRequest(sent: Buffer): Result<ScannedObject, RelayError> {
  const body = withoutByteOrderMark(sent);
  if (body.length === 0) return invalidRequest('The request has no body; send a JSON object.');
  if (!isUtf8(body)) return invalidRequest('The body of your request is not valid UTF-8.');
  let scanned: ScannedObject | ScanFault;
  try {
    scanned = scanObject(body);
  } catch (cause) {
    return fail({ kind: 'invalid-request', blame: 'caller', message: FAULT_SENTENCES.malformed, cause });
  }
  if (typeof scanned === 'string') return invalidRequest(FAULT_SENTENCES[scanned]);
  for (const name of scanned.members.keys()) {
    if (PLAIN_NAME.test(name)) continue;
    const meant = canonicalNameOf(name);
    if (meant !== undefined) return invalidRequest(`Unknown parameter: did you mean '${meant}'?`, meant);
  }
  for (const name of OTHER_MODELS) {
    if (!namesSomething(scanned, name)) continue;
    return invalidRequest(`'${name}' is not offered: name the one model you want in 'model'.`, name);
  }
  return ok(scanned);
}

/** Files some editors and shells write begin with one; JSON leaves it to the reader (RFC 8259, 8.1), and upstreams refuse it. */
const withoutByteOrderMark = (body: Buffer): Buffer =>
  body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;

/** Returns true when a member is there and neither null nor an empty list. */
function namesSomething({ bytes, members }: ScannedObject, name: string): boolean {
  const span = members.get(name);
  if (span === undefined) return false;
  return !/^(?:null|\[\s*\]|"")$/.test(
    bytes.toString('latin1', span.start, Math.min(span.end, span.start + 64)),
  );
}

/**
 * Some upstreams (everything written with Go's JSON package) take `Model` for `model`, and even the Kelvin sign for k: what
 * is billed here and what is done there would differ.
 * @param name  bytes of the key as latin1, the way the scanner reads them
 */
function canonicalNameOf(name: string): string | undefined {
  const folded = Buffer.from(name, 'latin1').toString('utf8').toUpperCase().toLowerCase();
  return folded !== name && DECISIVE_FIELDS.has(folded) ? folded : undefined;
}

/** A number of the request in its allowed range; `null` and absence are the same. */
export interface IntegerField {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

/** Reads an integer member. Fails: invalid-request when it is anything but an integer in range. */
export function readInteger(
  document: ScannedObject,
  field: IntegerField,
): Result<number | undefined, RelayError> {
  const span = document.members.get(field.name);
  if (span === undefined) return NOTHING;
  const value = readSmall(document, field.name);
  if (value === null) return NOTHING;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < field.min || value > field.max) {
    return invalidRequest(
      `Invalid '${field.name}': expected an integer from ${field.min} to ${field.max}.`,
      field.name,
    );
  }
  return ok(value);
}

/** Reads several integer members. Fails: as `readInteger`, for the first that is wrong. */
export function readIntegers<const Fields extends readonly IntegerField[]>(
  document: ScannedObject,
  fields: Fields,
): Result<{ readonly [At in keyof Fields]: number | undefined }, RelayError> {
  const found: (number | undefined)[] = [];
  for (const field of fields) {
    const read = readInteger(document, field);
    if (!read.ok) return read;
    found.push(read.value);
  }
  return ok(found as { [At in keyof Fields]: number | undefined });
}

/** Reads a true/false member; `null` and absence are false. */
export function readFlag(document: ScannedObject, name: string): Result<boolean, RelayError> {
  const value = readSmall(document, name);
  if (value === undefined || value === null || value === false) return FALSE;
  if (value === true) return TRUE;
  return invalidRequest(`Invalid '${name}': expected true or false.`, name);
}

/** The model asked for, taken once: from the body, which must agree with the address when both name one. */
export function readModel(
  document: ScannedObject,
  pathModel: string | undefined,
): Result<string, RelayError> {
  const value = readSmall(document, 'model');
  if (value === undefined && pathModel !== undefined) return ok(pathModel);
  if (value === undefined || value === null || value === '') {
    return invalidRequest('You must provide a model parameter.', 'model');
  }
  if (typeof value !== 'string') return invalidRequest("Invalid 'model': expected a string.", 'model');
  if (value.length > MAX_MODEL_LENGTH)
    return invalidRequest("Invalid 'model': the name is too long.", 'model');
  if (pathModel !== undefined && pathModel !== value) {
    return invalidRequest("The model of the address and the 'model' of the body differ.", 'model');
  }
  return ok(value);
}

interface ModelHead {
  readonly document: ScannedObject;
  readonly model: string;
}

/**
 * Start of every call in JSON: an object that names its model. Fails: invalid-request.
 * @param usual  the model of calls that name none
 */
export function readModelHead(
  body: Buffer,
  pathModel: string | undefined,
  usual?: string,
): Result<ModelHead, RelayError> {
  const scanned = scanRequest(body);
  if (!scanned.ok) return scanned;
  const document = scanned.value;
  const model = readModel(document, pathModel ?? (document.members.has('model') ? undefined : usual));
  return model.ok ? ok({ document, model: model.value }) : model;
}

/** The same of calls that may ask for a stream. */
export function readCallHead(
  body: Buffer,
  pathModel: string | undefined,
): Result<ModelHead & { readonly stream: boolean }, RelayError> {
  const head = readModelHead(body, pathModel);
  if (!head.ok) return head;
  const { document, model } = head.value;
  const stream = readFlag(document, 'stream');
  return stream.ok ? ok({ document, model, stream: stream.value }) : stream;
}

/** Returns true when the caller wants the usage frame of a stream for itself. Fails: invalid-request. */
export function readStreamUsage(document: ScannedObject): Result<boolean, RelayError> {
  const span = document.members.get('stream_options');
  if (span === undefined || document.bytes[span.start] === 0x6e) return ok(false);
  if (document.bytes[span.start] !== 0x7b) {
    return invalidRequest("Invalid 'stream_options': expected an object.", 'stream_options');
  }
  let options: { readonly include_usage?: unknown };
  try {
    options = readField(document, 'stream_options') as { readonly include_usage?: unknown };
  } catch {
    return invalidRequest("Invalid 'stream_options': not valid JSON.", 'stream_options');
  }
  const wanted = options.include_usage;
  if (wanted === undefined || wanted === null || typeof wanted === 'boolean') return ok(wanted === true);
  return invalidRequest("Invalid 'stream_options.include_usage': expected true or false.", 'stream_options');
}

/** Parses a member that should be a scalar; anything else is answered as an object, which no scalar check accepts. */
export function readSmall(document: ScannedObject, name: string): unknown {
  const span = document.members.get(name);
  if (span === undefined) return undefined;
  const first = document.bytes[span.start];
  if (first === 0x7b || first === 0x5b) return NOT_SCALAR;
  try {
    return readField(document, name);
  } catch {
    // A number or an escape that only looked like one: no scalar check accepts what stands in for it.
    return NOT_SCALAR;
  }
}

const NOT_SCALAR: unknown = Object.freeze({});
const NOTHING = ok<number | undefined>(undefined);
const TRUE = ok(true);
const FALSE = ok(false);

/**
 * Checks that the member with the input is there, of the right kind, and not empty.
 * @param opens  characters its value may begin with
 * @returns the refusal, or null
 */
export function checkInput(
  { members, bytes }: ScannedObject,
  name: string,
  says: { readonly missing: string; readonly unfit: string; readonly empty: string },
  opens: string,
): ReturnType<typeof invalidRequest> | null {
  const span = members.get(name);
  if (span === undefined) return invalidRequest(says.missing, name);
  if (!opens.includes(String.fromCharCode(bytes[span.start] as number)))
    return invalidRequest(says.unfit, name);
  return isEmpty(bytes, span.start) ? invalidRequest(says.empty, name) : null;
}

/**
 * Returns true for a list of more than so many texts, lists or objects. A list of numbers is one input. Short lists cost nothing.
 * @param most  at least 1
 */
export function hasMoreItems({ members, bytes }: ScannedObject, name: string, most: number): boolean {
  const span = members.get(name);
  // An item and its comma have at least three bytes.
  if (span === undefined || bytes[span.start] !== 0x5b || span.end - span.start <= most * 3) return false;
  items.reset(bytes, span.start, span.end);
  if (!items.enterArray()) return false;
  let count = 0;
  while (items.nextElement()) {
    const first = items.peek();
    if (first !== 0x22 && first !== 0x5b && first !== 0x7b) return false;
    count += 1;
    if (count > most) return true;
    if (!items.skipValue()) return false;
  }
  return false;
}

/** One for all requests: a list is counted to its end before another begins. */
const items = new JsonCursor(MAX_JSON_NODES);

/** Returns true when a text, a list or an object, which begins at `start`, is empty. */
function isEmpty(bytes: Buffer, start: number): boolean {
  if (bytes[start] === 0x22) return bytes[start + 1] === 0x22;
  let at = start + 1;
  while ((bytes[at] as number) <= 0x20) at += 1;
  return bytes[at] === 0x5d || bytes[at] === 0x7d;
}
