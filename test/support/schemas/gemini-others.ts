import { list, object, text, type Json } from '../strict-vendors/story.js';

/** https://cloud.google.com/apis/design/errors, read 2026-11-25: the words of `google.rpc.Code`. */
const RPC_CODES = new Set([
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'UNAUTHENTICATED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
]);
/** https://ai.google.dev/api/models, read 2026-11-25. */
const MODEL_MEMBERS: Readonly<Record<string, string>> = {
  name: 'string',
  baseModelId: 'string',
  version: 'string',
  displayName: 'string',
  description: 'string',
  inputTokenLimit: 'number',
  outputTokenLimit: 'number',
  thinking: 'boolean',
  temperature: 'number',
  maxTemperature: 'number',
  topP: 'number',
  topK: 'number',
  supportedGenerationMethods: 'object',
};
const DURATION = /^\d+(\.\d{1,9})?s$/;

const unknownIn = (value: Json, known: readonly string[], place: string): readonly string[] =>
  Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => `${place}.${name} is unknown`);

/** Faults of a failure's document; its code is the status it is answered with. */
export function geminiErrorFaults(document: Json, status: number): readonly string[] {
  const error = object(document['error']);
  const faults = [
    ...unknownIn(document, ['error'], 'document'),
    ...unknownIn(error, ['code', 'message', 'status', 'details'], 'error'),
  ];
  if (error['code'] !== status) faults.push(`error.code: ${String(error['code'])} is not ${status}`);
  if (typeof error['message'] !== 'string') faults.push('error.message is missing');
  if (!RPC_CODES.has(text(error['status']))) faults.push(`error.status: ${text(error['status'])} is no code`);
  for (const detail of list(error['details'])) {
    if (!text(detail['@type']).startsWith('type.googleapis.com/google.rpc.')) faults.push('details: @type');
    const { retryDelay } = detail;
    if (retryDelay !== undefined && !DURATION.test(text(retryDelay))) faults.push('details.retryDelay');
  }
  return faults;
}

/** Faults of one model. */
export function geminiModelFaults(model: Json): readonly string[] {
  const faults = [...unknownIn(model, Object.keys(MODEL_MEMBERS), 'model')];
  for (const [name, value] of Object.entries(model))
    if (MODEL_MEMBERS[name] !== undefined && typeof value !== MODEL_MEMBERS[name])
      faults.push(`model.${name}: ${JSON.stringify(value)}`);
  if (!text(model['name']).startsWith('models/')) faults.push(`model.name: ${text(model['name'])}`);
  const methods = model['supportedGenerationMethods'];
  if (!Array.isArray(methods) || methods.some((method) => typeof method !== 'string'))
    faults.push('model.supportedGenerationMethods is no list of words');
  return faults;
}

/** Faults of a page of models. */
export function geminiModelsFaults(page: Json): readonly string[] {
  const { nextPageToken: next } = page;
  return [
    ...unknownIn(page, ['models', 'nextPageToken'], 'page'),
    ...(Array.isArray(page['models']) ? [] : ['page.models is no list']),
    ...(next === undefined || typeof next === 'string' ? [] : ['page.nextPageToken is no text']),
    ...list(page['models']).flatMap(geminiModelFaults),
  ];
}

/** Faults of one vector or of several (https://ai.google.dev/api/embeddings, read 2026-11-25). */
export function geminiVectorFaults(answer: Json, isBatch: boolean): readonly string[] {
  const vectors = isBatch ? list(answer['embeddings']) : [object(answer['embedding'])];
  const faults = [
    ...unknownIn(answer, [isBatch ? 'embeddings' : 'embedding', 'usageMetadata'], 'answer'),
    ...vectors.flatMap((vector) => unknownIn(vector, ['values', 'shape'], 'embedding')),
  ];
  for (const { values } of vectors)
    if (!Array.isArray(values) || values.some((value) => typeof value !== 'number'))
      faults.push(`embedding.values: ${JSON.stringify(values)}`);
  if (vectors.length === 0) faults.push('there is no vector');
  const tokens = object(answer['usageMetadata'])['promptTokenCount'];
  if (tokens !== undefined && !Number.isInteger(tokens)) faults.push(`usageMetadata: ${String(tokens)}`);
  return faults;
}
