import { ownAddress } from '../shared/browser/base-path';
import { ApiError } from './api-error';
import { callerHeaders } from './client';

/**
 * Requests a path of this gateway whose answer is no envelope: streams, files, text.
 * Fails: ApiError with status 0 when the server was not reached; AbortError when the signal ends it.
 */
export async function fetchRaw(path: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  try {
    return await fetch(ownAddress() + path, init);
  } catch (error) {
    throw init.signal.aborted ? error : new ApiError(0, '');
  }
}

/** Posts a JSON body as the signed-in account. Fails: as `fetchRaw`. */
export const postRaw = (path: string, body: unknown, signal: AbortSignal): Promise<Response> =>
  fetchRaw(path, {
    method: 'POST',
    headers: { ...callerHeaders(), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
