import { z } from 'zod';
import { ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { RerankRequest } from '../../model/ranking.js';
import type { RelayError } from '../../model/relay-error.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { estimateFields, estimateUnread } from '../shared/requests/estimate-prompt.js';
import { documentOf, textOf } from '../shared/fields/json-fields.js';
import {
  checkInput,
  type IntegerField,
  readFlag,
  readInteger,
  readModelHead,
} from '../shared/fields/request-fields.js';
import { invalidBody } from '../shared/fields/schema-fault.js';
import { JsonCall, WHOLE_ANSWER } from '../shared/requests/json-call.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { RERANK_FORMAT } from './id.js';

/** Most documents of one call (the vendors' own bounds are 1,000 to 10,000). */
export const MAX_DOCUMENTS = 10_000;

/** Body of a rerank request, strict about what we read and silent about the rest. */
export const rerankRequestSchema = z.looseObject({
  query: z.string().min(1),
  documents: z
    .array(z.union([z.string(), z.looseObject({})]))
    .min(1)
    .max(MAX_DOCUMENTS),
  top_n: z.int().min(1).nullish(),
  return_documents: z.boolean().nullish(),
});

export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(rerankRequestSchema.shape),
  'model',
  'stream',
]);

const TOP_N: IntegerField = { name: 'top_n', min: 1, max: MAX_DOCUMENTS };
/** Understands a rerank request from its top-level members. Fails: invalid-request, with the name of the field. */
export function parseRerankCall(
  body: Buffer,
  { pathModel }: CallTarget,
): Result<ParsedCall<'rerank'>, RelayError> {
  const head = readModelHead(body, pathModel);
  if (!head.ok) return head;
  const { document, model } = head.value;
  const topN = readInteger(document, TOP_N);
  if (!topN.ok) return topN;
  const returns = readFlag(document, 'return_documents');
  if (!returns.ok) return returns;
  for (const [name, opens, kind] of [
    ['query', '"', 'a string'],
    ['documents', '[', 'an array of texts'],
  ] as const) {
    const says = {
      missing: `Missing required parameter: '${name}'.`,
      unfit: `Invalid '${name}': expected ${kind}.`,
      empty: `Invalid '${name}': it is empty.`,
    };
    const fault = checkInput(document, name, says, opens);
    if (fault !== null) return fault;
  }
  const shape: CallShape = {
    ...WHOLE_ANSWER,
    operation: 'rerank',
    model,
    promptTokens:
      estimateFields(document, { inputs: ['query', 'documents'] }) + estimateUnread(document, KNOWN_FIELDS),
  };
  return ok(new JsonCall<'rerank'>(shape, document, readRequest));
}

function readRequest(body: unknown): Result<RerankRequest, RelayError> {
  const parsed = rerankRequestSchema.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const fields = parsed.data;
  const vendorOptions = keepUnknown(RERANK_FORMAT, fields, KNOWN_FIELDS);
  return ok({
    query: fields.query,
    documents: fields.documents.map(textOfDocument),
    originals: fields.documents,
    ...(fields.top_n == null ? {} : { topN: fields.top_n }),
    returnsDocuments: fields.return_documents === true,
    ...(vendorOptions === undefined ? {} : { vendorOptions }),
  });
}

/** Ranked part of a document: its text, or all of it. */
function textOfDocument(document: unknown): string {
  if (typeof document === 'string') return document;
  const fields = documentOf(document);
  return textOf(fields['text']) ?? JSON.stringify(document);
}
