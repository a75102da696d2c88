import { ok, type Result } from '../../../common/result.js';
import type { FieldSpan, ScannedObject } from '../../framing/json-splice.js';
import { readField } from '../../framing/json-splice.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import { isDocument, type Document } from '../shared/fields/json-fields.js';
import { checkInput, invalidRequest, MAX_OUTPUT_CAP, scanRequest } from '../shared/fields/request-fields.js';
import { JsonCall } from '../shared/requests/json-call.js';
import { geminiTools } from '../shared/metering/vendor-tools.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { camelFields, camelName } from '../shared/fields/proto-names.js';
import { googleOnlyFormat, readGenerateRequest } from './read-request.js';
import { MAX_CANDIDATES } from './schema.js';

const MAX_MODEL_LENGTH = 256;

/**
 * Understands a generateContent request from its top-level members; the turns themselves are read only when the call is
 * translated. The address names the model and whether the answer is streamed.
 * Fails: invalid-request, with the name of the field.
 */
export function parseGenerateCall(
  body: Buffer,
  target: CallTarget,
  stream: boolean,
): Result<ParsedCall<'chat'>, RelayError> {
  const scanned = scanRequest(body);
  if (!scanned.ok) return scanned;
  const document = scanned.value;
  const twice = memberGivenTwice([...document.members.keys()]);
  if (twice !== undefined) return invalidRequest(`'${twice}' is given twice, in two spellings.`, twice);
  const model = readPathModel(document, target.pathModel);
  if (!model.ok) return model;
  const fault = checkInput(document, 'contents', CONTENTS, '[{');
  if (fault !== null) return fault;
  const config = readConfig(document);
  if (!config.ok) return config;
  const cap = boundedInteger(config.value, 'maxOutputTokens', MAX_OUTPUT_CAP);
  if (!cap.ok) return cap;
  const candidates = boundedInteger(config.value, 'candidateCount', MAX_CANDIDATES);
  if (!candidates.ok) return candidates;
  const isArray = stream && !asksForEvents(target.query);
  const shape: CallShape = {
    operation: 'chat',
    model: model.value,
    stream,
    outputCap: cap.value,
    choices: candidates.value ?? 1,
    promptTokens: estimate(document),
    wantsStreamUsage: stream,
    ...(isArray ? { streamForm: 'json-array' as const } : {}),
    ...geminiTools(document),
  };
  return ok(new ParsedGenerateCall(shape, document, (whole) => readGenerateRequest(whole, shape)));
}

/** A prompt whose tokens are to be counted. Fails: invalid-request. */
export function parseCountCall(body: Buffer, target: CallTarget): Result<ParsedCall<'chat'>, RelayError> {
  const scanned = scanRequest(body);
  if (!scanned.ok) return scanned;
  const inner = memberOf(scanned.value, 'generateContentRequest');
  if (inner === undefined) return parseGenerateCall(body, target, false);
  return parseGenerateCall(scanned.value.bytes.subarray(inner.span.start, inner.span.end), target, false);
}

class ParsedGenerateCall extends JsonCall<'chat'> {
  untranslatableReason(): RelayError | undefined {
    const config = readConfig(this.document);
    return config.ok ? googleOnlyFormat(camelFields(config.value)) : undefined;
  }
}

/** A member by its first spelling, in whichever it was written. */
export function memberOf(
  document: ScannedObject,
  name: string,
): { readonly key: string; readonly span: FieldSpan } | undefined {
  const direct = document.members.get(name);
  if (direct !== undefined) return { key: name, span: direct };
  for (const [key, span] of document.members) if (camelName(key) === name) return { key, span };
  return undefined;
}

/** `maxOutputTokens` beside `max_output_tokens`: two readers would take different ones. */
function memberGivenTwice(keys: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const key of keys) {
    const name = camelName(key);
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/** The address names the model; a body that names one too must mean the same. */
function readPathModel(document: ScannedObject, pathModel: string | undefined): Result<string, RelayError> {
  const model = (pathModel ?? '').replace(/^models\//, '');
  if (model === '') return invalidRequest('The address names no model.', 'model');
  if (model.length > MAX_MODEL_LENGTH) return invalidRequest('The name of the model is too long.', 'model');
  const named = document.members.has('model') ? readValue(document, 'model') : undefined;
  if (named === undefined || named === null) return ok(model);
  if (typeof named === 'string' && named.replace(/^models\//, '') === model) return ok(model);
  return invalidRequest("The model of the address and the 'model' of the body differ.", 'model');
}

/** A list of turns, or one turn. */
const CONTENTS = {
  missing: "'contents' is required.",
  unfit: "'contents' must be a list of turns.",
  empty: "'contents' is empty.",
};

/** The settings, in their first spelling. Fails: invalid-request. */
function readConfig(document: ScannedObject): Result<Document, RelayError> {
  const member = memberOf(document, 'generationConfig');
  if (member === undefined) return ok({});
  const config = readValue(document, member.key);
  if (config === null) return ok({});
  if (!isDocument(config)) return invalidRequest("'generationConfig' must be an object.", 'generationConfig');
  const twice = memberGivenTwice(Object.keys(config));
  if (twice === undefined) return ok(camelFields(config));
  return invalidRequest(`'${twice}' is given twice, in two spellings.`, `generationConfig.${twice}`);
}

function boundedInteger(config: Document, name: string, max: number): Result<number | undefined, RelayError> {
  const value = config[name];
  if (value === undefined || value === null) return ok(undefined);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= max)
    return ok(value);
  return invalidRequest(`'${name}' must be an integer from 1 to ${max}.`, `generationConfig.${name}`);
}

function readValue(document: ScannedObject, name: string): unknown {
  try {
    return readField(document, name);
  } catch {
    // A number or an escape that only looked like one: nothing accepts what stands in for it.
    return 'unreadable';
  }
}

/** Google's switch between event streams and an array. */
const asksForEvents = (query: string): boolean =>
  new URLSearchParams(query).getAll('alt').some((form) => form.toLowerCase() === 'sse');

function estimate(document: ScannedObject): number {
  const system = memberOf(document, 'systemInstruction')?.key;
  const config = memberOf(document, 'generationConfig');
  const inputs = system === undefined ? [] : [system];
  if (config !== undefined && config.span.end - config.span.start > 512) inputs.push(config.key);
  return estimateFields(document, { messages: ['contents'], tools: ['tools'], inputs });
}
