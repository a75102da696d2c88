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
import type { Dialect, DialectRoute } from './dialect.js';
import { findKey } from './find-key.js';
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
  findCredential: (headers, query) =>
    findKey(headers, {
      header: 'x-goog-api-key',
      inQuery: new URLSearchParams(query).getAll('key'),
      missing: 'key-missing-gemini',
    }),
  writeError: (error, callId) =>
    jsonError(errorStatus(error), JSON.stringify(errorDocument(error, callId)), error),
  writeErrorFrame: (error, callId) => `data: ${eventJson(errorDocument(error, callId))}\n\n`,
};
