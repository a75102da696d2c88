import type { ApiPath } from './schemas';
import i18next from 'i18next';
import { basePath } from '../shared/browser/base-path';
import { currentUserId } from './current-user';
import { ApiError } from './api-error';
import { unwrap, type Answer } from './unwrap';

type QueryValue = string | number | boolean | undefined;

export interface CallOptions {
  /** Undefined and empty members are left out. */
  query?: Readonly<Record<string, QueryValue>>;
  body?: unknown;
  signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One call of the console API.
 * Fails: ApiError, status 0 when the server cannot be reached; AbortError when the signal ends it.
 */
export async function call<T>(method: Method, path: ApiPath, options: CallOptions = {}): Promise<Answer<T>> {
  return unwrap<T>(await send(method, path, options));
}

/**
 * A file. Fails: as `call`, also when the server answers with a refusal instead.
 */
export async function download(
  path: ApiPath,
  options: Pick<CallOptions, 'query' | 'signal'> = {},
): Promise<{ readonly name: string; readonly content: Blob }> {
  const response = await send('GET', path, options);
  const isFile = response.ok && response.headers.get('content-type')?.includes('json') === false;
  if (!isFile) {
    await unwrap(response);
    throw new ApiError(response.status, '');
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { name: name ?? 'download', content: await response.blob() };
}

/**
 * An answer that comes event by event, in the shape of the relay: its refusals are no envelopes.
 * Fails: ApiError with the refusal's own sentence; AbortError when the signal ends it.
 */
export async function openEvents(
  path: '/pg/chat/completions',
  body: unknown,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await send('POST', path, { body, signal });
  if (response.ok && response.body !== null) return response.body;
  const answer = (await response.json().catch(() => undefined)) as
    | { readonly message?: string; readonly error?: { readonly message?: string; readonly code?: string } }
    | undefined;
  throw new ApiError(response.status, answer?.error?.message ?? answer?.message ?? '', answer?.error?.code);
}

async function send(
  method: Method,
  path: ApiPath | '/pg/chat/completions',
  options: CallOptions,
): Promise<Response> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Language': i18next.resolvedLanguage ?? 'en',
    'Cache-Control': 'no-store',
    'New-Api-User': String(currentUserId()),
  };
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    return await fetch(basePath() + path + queryText(options.query), {
      method,
      headers,
      credentials: 'same-origin',
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
    });
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new ApiError(0, '');
  }
}

/** The data of a call, for the many that need nothing else. */
export async function callForData<T>(method: Method, path: ApiPath, options?: CallOptions): Promise<T> {
  return (await call<T>(method, path, options)).data;
}

function queryText(query: CallOptions['query']): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') search.set(key, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
