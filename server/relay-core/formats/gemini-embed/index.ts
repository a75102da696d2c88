import { readField, spliceFields } from '../../framing/json-splice.js';
import type { EmbeddingReply, EmbeddingRequest } from '../../model/embedding.js';
import type { Usage } from '../../model/usage.js';
import type { Warning } from '../../model/warning.js';
import { readVectors, vectorReplies } from '../shared/embeddings/embed-reply.js';
import { type Document, documentOf, given, isDocument, listOf } from '../shared/fields/json-fields.js';
import { warnOfUnsupported } from '../shared/fields/dropped-fields.js';
import { warnOfLeftOut } from '../shared/requests/drop-refused-members.js';
import { decodeVector, refuseTokenInputs, textsOf } from '../shared/embeddings/vector-encoding.js';
import { withField } from '../shared/openai/append-usage.js';
import { vectorUsage } from '../shared/metering/vector-meter.js';
import type {
  ApiFormat,
  CallTarget,
  ParsedCall,
  RequestEdits,
  UpstreamFormat,
  WrittenRequest,
} from '../contract/api-format.js';
import type { WholeVerdict } from '../contract/reply-meter.js';
import { JsonEventMeter, key, parseSpan } from '../shared/metering/json-event-meter.js';
import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import { camelFields, camelName } from '../shared/fields/proto-names.js';
import { invalidRequest, scanRequest } from '../shared/fields/request-fields.js';
import { JsonCall, WHOLE_ANSWER } from '../shared/requests/json-call.js';

/** Keys of these formats in vendor options and registries: one text, several texts, and Vertex's form for both. */
export const EMBED_FORMAT = 'gemini-embed';
export const EMBED_BATCH_FORMAT = 'gemini-embed-batch';
export const VERTEX_EMBED_FORMAT = 'vertex-embed';

const MAX_DIMENSIONS = 65_536;
/** Most texts of one call. */
const MAX_INPUTS = 2_048;
const MAX_MODEL_LENGTH = 256;

/** `embedContent`: one content. Fails: invalid-request, with the name of the field. */
export const parseEmbedCall = (body: Buffer, target: CallTarget): Result<ParsedCall<'embed'>, RelayError> =>
  parse(body, target, 'content');

/** `batchEmbedContents`: several requests of the same model. Fails: invalid-request, with the name of the field. */
export const parseEmbedBatchCall = (
  body: Buffer,
  target: CallTarget,
): Result<ParsedCall<'embed'>, RelayError> => parse(body, target, 'requests');

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['model', 'content', 'outputDimensionality']);

const PREDICTIONS = key('predictions');
const EMBEDDINGS = key('embeddings');
const VALUES = key('values');
const STATISTICS = key('statistics');
const TOKENS = ['token_count', 'tokenCount'].map(key);

const USAGE_PATH = ['usageMetadata', 'promptTokenCount'];

/** Google's grammar for one vector: https://ai.google.dev/api/embeddings (read 2026-11-21). */
export const geminiEmbed: ApiFormat<'embed'> = {
  id: EMBED_FORMAT,
  replyType: 'application/json; charset=utf-8',
  parseCall: parseEmbedCall,
  spliceRequest: ({ document }, { upstreamModel }) =>
    spliceFields(document, new Map([['model', `models/${upstreamModel}`]])),
  writeRequest: (request, edits) =>
    written(request, EMBED_FORMAT, oneRequest(request, textsOf(request)[0] ?? '', edits, EMBED_FORMAT)),
  refuseRequest: refuseTokenInputs,
  ...vectorReplies({ vectors: ['embedding'], tokens: USAGE_PATH }, ({ embedding }) => [
    documentOf(embedding)['values'],
  ]),
  writeReply: (reply) => toBytes({ embedding: { values: numbersOf(reply)[0] ?? [] } }, reply),
  appendUsage,
};

/** Google's grammar for several vectors. */
export const geminiEmbedBatch: ApiFormat<'embed'> = {
  id: EMBED_BATCH_FORMAT,
  replyType: 'application/json; charset=utf-8',
  itemsMember: 'requests',
  parseCall: parseEmbedBatchCall,
  spliceRequest: spliceBatch,
  writeRequest: (request, edits) => {
    const requests = textsOf(request).map((text) => oneRequest(request, text, edits, EMBED_BATCH_FORMAT));
    return written(request, EMBED_BATCH_FORMAT, { requests });
  },
  refuseRequest: refuseTokenInputs,
  ...vectorReplies({ vectors: ['embeddings'], tokens: USAGE_PATH }, ({ embeddings }) =>
    listOf(embeddings).map((one) => documentOf(one)['values']),
  ),
  writeReply: (reply) => toBytes({ embeddings: numbersOf(reply).map((values) => ({ values })) }, reply),
  appendUsage,
};

/** Vertex's grammar: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api (read 2026-11-21). */
export const vertexEmbed: UpstreamFormat<'embed'> = {
  id: VERTEX_EMBED_FORMAT,
  spliceRequest: ({ document }) => document.bytes,
  writeRequest: (request) => {
    const { taskType, title, autoTruncate } = optionsOf(request, EMBED_FORMAT);
    const instances = textsOf(request).map((content) => ({
      content,
      ...(taskType === undefined ? {} : { task_type: taskType }),
      ...(title === undefined ? {} : { title }),
    }));
    const parameters = {
      ...given('outputDimensionality', request.dimensions),
      ...given('autoTruncate', autoTruncate),
    };
    return written(request, EMBED_FORMAT, { instances, parameters }, VERTEX_FIELDS);
  },
  refuseRequest: refuseTokenInputs,
  openMeter: () => new VertexEmbedMeter(),
  readReply: (body, call) =>
    readVectors(
      body,
      call,
      (document) => predictionsOf(document).map((one) => one['values']),
      (document) => sumOf(predictionsOf(document).map((one) => documentOf(one['statistics'])['token_count'])),
    ),
};

const predictionsOf = (document: Document): readonly Document[] =>
  listOf(document['predictions']).map((one) => documentOf(documentOf(one)['embeddings']));

function sumOf(counts: readonly unknown[]): Usage | undefined {
  const known = counts.filter((count) => typeof count === 'number');
  return known.length === 0 ? undefined : vectorUsage(known.reduce((sum, count) => sum + count, 0));
}

function oneRequest(
  request: EmbeddingRequest,
  text: string,
  edits: RequestEdits,
  apiFormat: string,
): Document {
  const { autoTruncate: _vertexOnly, ...options } = optionsOf(request, apiFormat);
  return {
    ...options,
    model: `models/${edits.upstreamModel}`,
    content: { parts: [{ text }] },
    ...(request.dimensions === undefined ? {} : { outputDimensionality: request.dimensions }),
  };
}

/** Options under their names in the body, by the spellings that callers of other formats use, and by their own. */
const SPELLINGS: Readonly<Record<string, string>> = {
  task_type: 'taskType',
  taskType: 'taskType',
  title: 'title',
  auto_truncate: 'autoTruncate',
  autoTruncate: 'autoTruncate',
};
const VERTEX_FIELDS: readonly string[] = Object.keys(SPELLINGS);
const STUDIO_FIELDS = VERTEX_FIELDS.filter((name) => SPELLINGS[name] !== 'autoTruncate');

/** Options of the body: the format's own, and those of other formats that it has under any spelling. */
function optionsOf({ vendorOptions }: EmbeddingRequest, apiFormat: string): Document {
  const options: Record<string, unknown> = {};
  for (const [format, members] of Object.entries(vendorOptions ?? {})) {
    if (format === EMBED_FORMAT || format === EMBED_BATCH_FORMAT) continue;
    for (const [name, value] of Object.entries(members)) {
      const own = SPELLINGS[name];
      if (own !== undefined) options[own] = value;
    }
  }
  return { ...options, ...vendorOptions?.[apiFormat] };
}

/** The three formats share their options. @param taken  those that stand in the body; absent = all of the format's own */
function written(
  request: EmbeddingRequest,
  apiFormat: string,
  body: Document,
  taken?: readonly string[],
): WrittenRequest {
  const warnings: Warning[] = [];
  const { [EMBED_FORMAT]: own, [EMBED_BATCH_FORMAT]: _batch, ...foreign } = request.vendorOptions ?? {};
  warnOfLeftOut({ vendorOptions: foreign }, taken ?? STUDIO_FIELDS, warnings);
  if (taken !== undefined && own !== undefined)
    warnOfLeftOut({ vendorOptions: { [apiFormat]: own } }, taken, warnings);
  warnOfUnsupported({ user: request.user }, 'Gemini', warnings);
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}

function spliceBatch(call: ParsedCall<'embed'>, edits: RequestEdits): Buffer {
  const requests = listOf(readField(call.document, 'requests')).map((one) => ({
    ...documentOf(one),
    model: `models/${edits.upstreamModel}`,
  }));
  return spliceFields(call.document, new Map([['requests', requests]]));
}

/** This grammar has numbers only. */
const numbersOf = (reply: EmbeddingReply): readonly (readonly number[])[] =>
  reply.vectors.map((vector) => (typeof vector === 'string' ? decodeVector(vector) : vector));

const writeUsage = ({ input }: Usage): Document => ({ promptTokenCount: input.total });

function appendUsage(body: Buffer, usage: Usage): Buffer {
  return withField(body, 'usageMetadata', writeUsage(usage));
}

function toBytes(document: Document, reply: EmbeddingReply): Buffer {
  const usage = reply.usage === undefined ? {} : { usageMetadata: writeUsage(reply.usage) };
  return Buffer.from(JSON.stringify({ ...document, ...usage }));
}

/** Meter of Vertex's predictions of vectors: each one reports its tokens. */
export class VertexEmbedMeter extends JsonEventMeter {
  private tokens = 0;

  override readWhole(body: Buffer): WholeVerdict {
    const { cursor } = this;
    const isWhole = this.walk(body, 0, body.length, () => {
      if (cursor.keyIs(PREDICTIONS)) this.elements(this.prediction);
      else cursor.skipValue();
    });
    if (!isWhole) return 'malformed';
    if (!this.sawContent) return this.failedWith(parseSpan(body, 0, body.length));
    if (this.tokens > 0 && !this.usageIsInvalid) this.usage = vectorUsage(this.tokens);
    this.hasFinish = true;
    return 'answer';
  }

  private readonly prediction = (): void =>
    this.members(() => {
      if (this.cursor.keyIs(EMBEDDINGS)) this.members(this.embedding);
      else this.cursor.skipValue();
    });

  private readonly embedding = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(VALUES)) this.sawContent = this.takePresence() || this.sawContent;
    else if (cursor.keyIs(STATISTICS)) {
      this.members(() => {
        if (cursor.keyIsOneOf(TOKENS)) this.count(this.takeValue());
        else cursor.skipValue();
      });
    } else cursor.skipValue();
  };

  private count(tokens: unknown): void {
    if (vectorUsage(tokens) === undefined) this.usageIsInvalid = true;
    else this.tokens += Number(tokens);
  }
}

function parse(
  body: Buffer,
  target: CallTarget,
  member: 'content' | 'requests',
): Result<ParsedCall<'embed'>, RelayError> {
  const scanned = scanRequest(body);
  if (!scanned.ok) return scanned;
  const document = scanned.value;
  const model = (target.pathModel ?? '').replace(/^models\//, '');
  if (model === '' || model.length > MAX_MODEL_LENGTH) {
    return invalidRequest('The address names no model that can be used.', 'model');
  }
  if (!document.members.has(member)) return invalidRequest(`'${member}' is required.`, member);
  const shape: CallShape = {
    ...WHOLE_ANSWER,
    operation: 'embed',
    model,
    promptTokens: estimateFields(document, { inputs: [member] }),
  };
  const isBatch = member === 'requests';
  const call = new JsonCall<'embed'>(shape, document, (whole) =>
    readRequests(isBatch ? listOf(documentOf(whole)['requests']) : [whole], model, isBatch),
  );
  // The parts determine model and inputs, so they are read at once.
  const read = call.neutral();
  return read.ok ? ok(call) : read;
}

function readRequests(
  requests: readonly unknown[],
  model: string,
  isList: boolean,
): Result<EmbeddingRequest, RelayError> {
  if (requests.length === 0) return invalidRequest("'requests' is empty.", 'requests');
  if (requests.length > MAX_INPUTS) {
    return invalidRequest(`At most ${MAX_INPUTS} texts can be sent in one call.`, 'requests');
  }
  const inputs: string[] = [];
  let dimensions: number | undefined;
  let rest: Document | undefined;
  for (const item of requests) {
    if (!isDocument(item)) return invalidRequest("'requests' must be a list of requests.", 'requests');
    if (new Set(Object.keys(item).map(camelName)).size < Object.keys(item).length) {
      return invalidRequest('A field is given twice, in two spellings.');
    }
    const request = camelFields(item);
    const named = request['model'];
    if (named != null && (typeof named !== 'string' || named.replace(/^models\//, '') !== model)) {
      return invalidRequest("The model of the address and the 'model' of the body differ.", 'model');
    }
    const size = request['outputDimensionality'];
    if (size != null && (!Number.isSafeInteger(size) || Number(size) < 1 || Number(size) > MAX_DIMENSIONS)) {
      const message = `'outputDimensionality' must be an integer from 1 to ${MAX_DIMENSIONS}.`;
      return invalidRequest(message, 'outputDimensionality');
    }
    const text = textOfContent(request['content']);
    if (text === undefined) return invalidRequest("'content' must hold parts with text.", 'content');
    inputs.push(text);
    dimensions ??= size == null ? undefined : Number(size);
    rest ??= keepUnknown(EMBED_FORMAT, request, KNOWN_FIELDS)?.[EMBED_FORMAT];
  }
  return ok({
    inputs,
    isList,
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(rest === undefined ? {} : { vendorOptions: { [EMBED_FORMAT]: rest, [EMBED_BATCH_FORMAT]: rest } }),
  });
}

/** Undefined = it holds something that is no text. */
function textOfContent(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  const texts = listOf(documentOf(content)['parts']).map((part) => documentOf(part)['text']);
  const isAllText = texts.length > 0 && texts.every((text) => typeof text === 'string');
  return isAllText ? texts.join('\n') : undefined;
}
