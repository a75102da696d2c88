import i18next from 'i18next';
import createClient, { type Middleware } from 'openapi-fetch';
import { ownAddress } from '../shared/browser/base-path';
import { ApiError } from './api-error';
import { currentUserId } from './current-user';
import { refusalOf } from './refusal';
import type { paths } from './schema';

/**
 * The console API, typed by the server's own document: path, query, body and answer.
 * Fails: ApiError for a refusal, with status 0 when the server cannot be reached; AbortError when the signal ends it.
 */
export const api = createClient<paths>({
  baseUrl: ownAddress(),
  fetch: (request) => globalThis.fetch(request),
  querySerializer: filledMembers,
});

const envelopes: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(callerHeaders())) request.headers.set(name, value);
  },
  async onResponse({ response, options }) {
    if (options.parseAs === 'blob' && isFile(response)) return;
    const refusal = await refusalOf(response.clone());
    if (refusal !== undefined) throw refusal;
  },
  onError: ({ request }) => (request.signal.aborted ? undefined : new ApiError(0, '')),
};
api.use(envelopes);

/** Result of a call of `api`. */
interface Answered<Envelope> {
  readonly data?: Envelope;
  readonly response: Response;
}

/** The whole envelope, for members beside `data`. */
export async function envelopeOf<Envelope>(call: Promise<Answered<Envelope>>): Promise<Envelope> {
  // Nothing but an envelope of success comes through the middleware.
  return (await call).data as Envelope;
}

/** The data of a call, for the many that need nothing else. */
export async function dataOf<Data>(call: Promise<Answered<{ readonly data: Data }>>): Promise<Data> {
  return (await envelopeOf(call)).data;
}

/** A file, of a call with `parseAs: 'blob'`. */
export async function fileOf(
  call: Promise<Answered<Blob>>,
): Promise<{ readonly name: string; readonly content: Blob }> {
  const { data, response } = await call;
  // Without a file there is nothing in the answer that the document would know.
  if (data === undefined || !isFile(response)) throw new ApiError(response.status, '');
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { name: name ?? 'download', content: data };
}

/** Headers of every call of the console. */
export const callerHeaders = (): Record<string, string> => ({
  Accept: 'application/json',
  'Accept-Language': i18next.resolvedLanguage ?? 'en',
  'Cache-Control': 'no-store',
  'New-Api-User': String(currentUserId()),
});

const isFile = (response: Response): boolean =>
  response.ok && response.headers.get('content-type')?.includes('json') === false;

/** An empty filter is left out. */
function filledMembers(query: Readonly<Record<string, unknown>>): string {
  const filled = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(filled.map(([name, value]) => [name, String(value)])).toString();
}
