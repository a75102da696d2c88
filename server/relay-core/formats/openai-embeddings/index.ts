import { z } from 'zod';
import { spliceBody } from '../shared/requests/splice-body.js';
import { withField } from '../shared/openai/append-usage.js';
import type {
  ApiFormat,
  CallTarget,
  ParsedCall,
  ReplyContext,
  RequestEdits,
  WrittenRequest,
} from '../contract/api-format.js';
import { EMBEDDINGS_FORMAT } from './id.js';
import { readEmbeddingReply } from './read-reply.js';
import type { EmbeddingInput, EmbeddingReply, EmbeddingRequest } from '../../model/embedding.js';
import { warnOfOtherFormatFields } from '../shared/fields/dropped-fields.js';
import { isDocument, setGiven } from '../shared/fields/json-fields.js';
import type { Warning } from '../../model/warning.js';
import { formatOptions, writtenBody } from '../shared/requests/drop-refused-members.js';
import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { estimateFields, estimateUnread } from '../shared/requests/estimate-prompt.js';
import {
  checkInput,
  hasMoreItems,
  invalidRequest,
  type IntegerField,
  readInteger,
  readModelHead,
} from '../shared/fields/request-fields.js';
import { JsonCall, WHOLE_ANSWER } from '../shared/requests/json-call.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { invalidBody } from '../shared/fields/schema-fault.js';
import { decodeVector, encodeVectors } from '../shared/embeddings/vector-encoding.js';
import { JsonCursor } from '../../framing/json-cursor.js';
import { ReplyMeter, type WholeVerdict } from '../contract/reply-meter.js';
import { readEmbeddingUsage } from './usage.js';
import { parseSpan } from '../shared/metering/json-event-meter.js';

const USAGE_KEY = Buffer.from('"usage"');
const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Replies up to this size are read from the front: cheap, and nothing is left to chance. */
const SMALL_BYTES = 16 * 1024;

/** Fields that request bytes, bits or several vectors per text. */
const VENDORS_FORMS = /dtype|embedding_type|output_type|multivector/;

/** The first vector begins here, whatever stands before it. */
const FIRST_BYTES = 8 * 1024;
const FIRST_VECTOR = /"embedding"\s*:\s*(["[])/;

const tokens = z.array(z.int().min(0)).min(1);

/** Most inputs of one call. */
const MAX_INPUTS = 2_048;

/** Body of an embedding request, strict about what we read and silent about the rest. */
export const embeddingRequestSchema = z.looseObject({
  input: z.union([
    z.string().min(1),
    tokens,
    z
      .array(z.union([z.string().min(1), tokens]))
      .min(1)
      .max(MAX_INPUTS),
  ]),
  dimensions: z.int().min(1).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  user: z.string().nullish(),
});

export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'input',
  'dimensions',
  'encoding_format',
  'user',
]);

const INPUT = {
  missing: "Missing required parameter: 'input'.",
  unfit: "Invalid 'input': expected a string or an array.",
  empty: "Invalid 'input': it is empty.",
};
const tooManyInputs = () =>
  invalidRequest(`Invalid 'input': at most ${MAX_INPUTS} inputs can be sent in one call.`, 'input');
const DIMENSIONS: IntegerField = { name: 'dimensions', min: 1, max: 65_536 };

/** OpenAI's embeddings grammar: https://platform.openai.com/docs/api-reference/embeddings (read 2026-11-21). */
export const openaiEmbeddings: ApiFormat<'embed'> = {
  id: EMBEDDINGS_FORMAT,
  replyType: 'application/json',
  itemsMember: 'input',
  parseCall: parseEmbeddingCall,
  spliceRequest: spliceBody,
  writeRequest: writeEmbeddingRequest,
  openMeter: () => new EmbeddingMeter(),
  readReply: readEmbeddingReply,
  writeReply: writeEmbeddingReply,
  hasRequestedForm: hasRequestedEncoding,
  appendUsage: (body, { input }) =>
    withField(body, 'usage', { prompt_tokens: input.total ?? 0, total_tokens: input.total ?? 0 }),
};

export function writeEmbeddingRequest(request: EmbeddingRequest, edits: RequestEdits): WrittenRequest {
  const body = formatOptions(request, EMBEDDINGS_FORMAT);
  body['model'] = edits.upstreamModel;
  body['input'] = request.isList ? request.inputs : request.inputs[0];
  setGiven(body, 'dimensions', request.dimensions);
  setGiven(body, 'encoding_format', request.encoding);
  setGiven(body, 'user', request.user);
  const warnings: Warning[] = [];
  warnOfOtherFormatFields(request.vendorOptions, EMBEDDINGS_FORMAT, warnings);
  return writtenBody(edits, body, warnings);
}

/** Understands an embedding request from its top-level members. Fails: invalid-request, with the name of the field. */
export function parseEmbeddingCall(
  body: Buffer,
  { pathModel }: CallTarget,
): Result<ParsedCall<'embed'>, RelayError> {
  const head = readModelHead(body, pathModel);
  if (!head.ok) return head;
  const { document, model } = head.value;
  const dimensions = readInteger(document, DIMENSIONS);
  if (!dimensions.ok) return dimensions;
  const fault = checkInput(document, 'input', INPUT, '"[');
  if (fault !== null) return fault;
  if (hasMoreItems(document, 'input', MAX_INPUTS)) return tooManyInputs();
  const shape: CallShape = {
    ...WHOLE_ANSWER,
    operation: 'embed',
    model,
    promptTokens: estimateFields(document, { inputs: ['input'] }) + estimateUnread(document, KNOWN_FIELDS),
  };
  return ok(new JsonCall<'embed'>(shape, document, readEmbeddingRequest));
}

/** Body → neutral request. Fails: invalid-request, with the path of the first field at fault. */
export function readEmbeddingRequest(body: unknown): Result<EmbeddingRequest, RelayError> {
  const parsed = embeddingRequestSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const { input, dimensions, encoding_format: encoding, user } = parsed.data;
  const isList = Array.isArray(input) && typeof input[0] !== 'number';
  const vendorOptions = keepUnknown(EMBEDDINGS_FORMAT, parsed.data, KNOWN_FIELDS);
  return ok({
    inputs: isList ? (input as readonly EmbeddingInput[]) : [input as EmbeddingInput],
    isList,
    ...(dimensions == null ? {} : { dimensions }),
    ...(encoding == null ? {} : { encoding }),
    ...(user == null ? {} : { user }),
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

/** The request as far as it is one of texts in numbers or base64; undefined = it has forms only its vendor knows. */
function plainRequest(call: ParsedCall<'embed'>): EmbeddingRequest | undefined {
  const request = call.neutral();
  if (!request.ok) return undefined;
  const own = Object.keys(request.value.vendorOptions?.[EMBEDDINGS_FORMAT] ?? {});
  return own.some((name) => VENDORS_FORMS.test(name)) ? undefined : request.value;
}

/** Returns true when the first vector has the requested encoding, text or numbers: some compatible providers have one encoding only. */
export function hasRequestedEncoding(body: Buffer, call: ParsedCall<'embed'>): boolean {
  const request = plainRequest(call);
  const first = FIRST_VECTOR.exec(body.toString('latin1', 0, FIRST_BYTES))?.[1];
  if (request === undefined || first === undefined) return true;
  return (first === '"') === (request.encoding === 'base64');
}

function inRequestedEncoding(
  vector: readonly number[] | string,
  { encoding }: EmbeddingRequest,
): readonly number[] | string {
  if (typeof vector === 'string') return encoding === 'base64' ? vector : decodeVector(vector);
  return encodeVectors([vector], encoding)[0] ?? vector;
}

export function writeEmbeddingReply(
  reply: EmbeddingReply,
  context: ReplyContext,
  call: ParsedCall<'embed'>,
): Buffer {
  const request = plainRequest(call);
  const encoded =
    request === undefined
      ? reply.vectors
      : reply.vectors.map((vector) => inRequestedEncoding(vector, request));
  const tokens = reply.usage?.input.total ?? 0;
  return Buffer.from(
    JSON.stringify({
      ...reply.vendorOptions?.[EMBEDDINGS_FORMAT],
      object: 'list',
      data: encoded.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      model: reply.servedModel === '' ? context.model : reply.servedModel,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }),
  );
}

/**
 * Meter of embedding replies. Vectors are megabytes of numbers and the usage stands behind them, so large replies are
 * read from the tail; a reply without usage there is read whole.
 */
export class EmbeddingMeter extends ReplyMeter {
  private readonly cursor = new JsonCursor();

  override readWhole(body: Buffer): WholeVerdict {
    if (body.length > SMALL_BYTES && this.readTail(body)) return 'answer';
    const { cursor } = this;
    cursor.reset(body, 0, body.length);
    let hasData = false;
    if (!cursor.enterObject()) return 'malformed';
    while (cursor.nextMember()) {
      const name = cursor.keyText();
      cursor.peek();
      const from = cursor.at;
      if (!cursor.skipValue()) return 'malformed';
      if (name === 'data') hasData = body[from] === 0x5b && cursor.at - from > 2;
      else if (name === 'usage') this.report(body, from, cursor.at);
      else if (name === 'error' && body[from] !== 0x6e && hasContent(body, from, cursor.at)) {
        this.errorDocument = parseSpan(body, 0, body.length);
      }
    }
    if (!cursor.isAtEnd()) return 'malformed';
    if (this.errorDocument !== undefined) return 'error';
    this.hasFinish = hasData;
    return hasData ? 'answer' : 'empty';
  }

  /** Reads `"usage":{…}` when nothing but more members and the closing brace follow it. */
  private readTail(body: Buffer): boolean {
    const at = body.lastIndexOf(USAGE_KEY);
    if (at === -1) return false;
    const { cursor } = this;
    cursor.reset(body, at + USAGE_KEY.length, body.length);
    if (cursor.peek() !== COLON) return false;
    cursor.at += 1;
    cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue()) return false;
    const to = cursor.at;
    while (cursor.peek() === COMMA) {
      cursor.at += 1;
      cursor.peek();
      if (!cursor.skipValue() || cursor.peek() !== COLON) return false;
      cursor.at += 1;
      if (!cursor.skipValue()) return false;
    }
    if (cursor.peek() !== CLOSE_OBJECT) return false;
    cursor.at += 1;
    if (!cursor.isAtEnd()) return false;
    this.report(body, from, to);
    this.hasFinish = true;
    return this.usage !== undefined;
  }

  private report(body: Buffer, from: number, to: number): void {
    this.takeUsage(readEmbeddingUsage(parseSpan(body, from, to)));
  }
}

function hasContent(body: Buffer, from: number, to: number): boolean {
  const error = parseSpan(body, from, to);
  return typeof error === 'string' ? error !== '' : isDocument(error) && Object.keys(error).length > 0;
}
