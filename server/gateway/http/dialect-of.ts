import { anthropic } from '../../relay-core/dialects/anthropic.js';
import type { Dialect, RequestHeaders } from '../../relay-core/dialects/dialect.js';
import { gemini } from '../../relay-core/dialects/gemini.js';
import { midjourneyDialect } from '../../relay-core/dialects/midjourney.js';
import { openai } from '../../relay-core/dialects/openai.js';
import { sunoDialect } from '../../relay-core/dialects/suno.js';
import { pathOf, queryOf } from './relay-paths.js';

const MODEL_VERB = /^\/v1\/models\/.+:[A-Za-z]+$/;
const DRAWINGS = /^\/mj(?:-fast|-turbo|-relax)?(?:\/|$)/;
const MODEL_LIST = /^\/v1\/models(\/.*)?$/;

/** The dialect an address belongs to, whatever is wrong with the request. OpenAI's and Anthropic's model list share one: headers that name the client decide. */
export function dialectOf(url: string, headers: RequestHeaders): Dialect {
  const path = pathOf(url);
  if (isBelow(path, '/v1/messages') || isBelow(path, '/anthropic')) return anthropic;
  if (isBelow(path, '/v1beta/openai')) return openai;
  if (isBelow(path, '/v1beta') || MODEL_VERB.test(path)) return gemini;
  if (DRAWINGS.test(path)) return midjourneyDialect;
  if (isBelow(path, '/suno')) return sunoDialect;
  if (!MODEL_LIST.test(path)) return openai;
  if (headers['anthropic-version'] !== undefined) return anthropic;
  const isGoogle = headers['x-goog-api-key'] !== undefined || new URLSearchParams(queryOf(url)).has('key');
  return isGoogle ? gemini : openai;
}

const isBelow = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
