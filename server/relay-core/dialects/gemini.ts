import { fail, ok, type Result } from '../../common/result.js';
import { refusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import { eventJson } from '../formats/shared/metering/event-data.js';
import { geminiEmbed, geminiEmbedBatch } from '../formats/gemini-embed/index.js';
import {
  errorDocument,
  errorStatus,
  geminiCount,
  geminiGenerate,
  geminiGenerateStream,
} from '../formats/gemini-generate/index.js';
import { imagenPredict } from '../formats/imagen-predict/index.js';
import { bearerKey } from './bearer-key.js';
import type { Dialect, DialectRoute, RequestHeaders } from './dialect.js';
import { jsonError } from './json-error.js';

/** Google's own clients ask the same at either version. */
const VERSIONS = ['/v1beta', '/v1'] as const;

const routesOf = (version: string): readonly DialectRoute[] => {
  const pathOf = (verb: string): string => `${version}/models/:model(^.+)::${verb}`;
  return [
    { method: 'POST', path: pathOf('generateContent'), operation: 'chat', apiFormat: geminiGenerate },
    {
      method: 'POST',
      path: pathOf('streamGenerateContent'),
      operation: 'chat',
      apiFormat: geminiGenerateStream,
    },
    {
      method: 'POST',
      path: pathOf('countTokens'),
      operation: 'chat',
      apiFormat: geminiCount,
      writeCount: (tokens) => Buffer.from(JSON.stringify({ totalTokens: tokens })),
    },
    { method: 'POST', path: pathOf('embedContent'), operation: 'embed', apiFormat: geminiEmbed },
    { method: 'POST', path: pathOf('batchEmbedContents'), operation: 'embed', apiFormat: geminiEmbedBatch },
    { method: 'POST', path: pathOf('predict'), operation: 'image', apiFormat: imagenPredict },
  ];
};

/** Google's client API: https://ai.google.dev/api (read 2026-11-21). */
export const gemini: Dialect = {
  id: 'gemini',
  routes: VERSIONS.flatMap(routesOf),
  findCredential,
  writeError: (error, callId) =>
    jsonError(errorStatus(error), JSON.stringify(errorDocument(error, callId)), error),
  writeErrorFrame: (error, callId) => `data: ${eventJson(errorDocument(error, callId))}\n\n`,
};

/** `x-goog-api-key`, `?key=` or a Bearer key; several are accepted only when all say the same. */
function findCredential(headers: RequestHeaders, query: string): Result<string, RelayError> {
  const own = headers['x-goog-api-key'];
  const authorization = headers['authorization'];
  if (Array.isArray(own) || Array.isArray(authorization)) return fail(refusal('keys-sent'));
  const found = new Set<string>();
  if (own !== undefined && own !== '') found.add(own);
  if (authorization !== undefined && authorization !== '') {
    const bearer = bearerKey(authorization);
    if (bearer === undefined) return fail(refusal('key-unreadable'));
    found.add(bearer);
  }
  for (const key of new URLSearchParams(query).getAll('key')) if (key !== '') found.add(key);
  const [credential] = found;
  if (credential === undefined) return fail(refusal('key-missing-gemini'));
  return found.size === 1 ? ok(credential) : fail(refusal('keys-differ'));
}
